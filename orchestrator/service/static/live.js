// Follows a job until it is over; the browser goes on after the last event by itself where the connection is lost.
"use strict";
const live = document.querySelector("[data-job]");
const now = document.getElementById("now");
const told = document.getElementById("told");
const state = document.querySelector("h1 .pill");
const steps = {
  RunStep: "The data was read.",
  ResumeStep: "It was begun again.",
  ChunkStep: "Rows were taken to be looked at.",
  AnalysisStep: "It was looked at what is wrong with them.",
  CandidateStep: "A function was proposed.",
  VerificationStep: "A function was judged.",
  RepairStep: "A function is to be corrected.",
  WitnessStep: "Somebody who does not see the function was asked.",
  PromotionStep: "A function was accepted.",
  HoldStep: "A function was held: a person has to decide.",
  HeldEntryStep: "A function was held: a person has to decide.",
  ChunkEndStep: "These rows are done.",
  PlanningStep: "It was looked for functions to merge.",
  MergerStep: "Functions were to be merged.",
  ApplyStep: "The functions were applied to all rows.",
  EndStep: "It ends.",
};
const be = (word, looks) => { state.textContent = word; state.className = `pill ${looks}`; };
const signs = { pass: "✓ passed", hold: "? held", fail: "✗ failed", skip: "– skipped", infra: "! broke" };
const source = new EventSource(`/api/v1/jobs/${live.dataset.job}/events`);
source.addEventListener("queued", () => { be("queued", ""); now.textContent = "It waits in the queue."; told.replaceChildren(); });
source.addEventListener("started", () => { be("running", "busy"); now.textContent = "Somebody is at it."; });
source.addEventListener("progress", (event) => { now.textContent = `${JSON.parse(event.data).rows} rows are done.`; });
source.addEventListener("step", (event) => { now.textContent = steps[JSON.parse(event.data).kind] || "It goes on."; });
source.addEventListener("check", (event) => {
  const check = JSON.parse(event.data);
  const line = document.createElement("li");
  const name = document.createElement("code");
  const outcome = document.createElement("span");
  name.textContent = check.id;
  outcome.textContent = signs[check.outcome] || check.outcome;
  outcome.className = line.className = check.outcome in signs ? check.outcome : "";
  outcome.classList.add("outcome");
  line.append(name, outcome);
  told.append(line);
});
source.addEventListener("ended", () => { source.close(); location.reload(); });
