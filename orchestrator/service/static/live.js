// Follows a job until it is over; the browser goes on after the last event by itself where the connection is lost.
"use strict";
const live = document.querySelector("[data-job]");
const now = document.getElementById("now");
const told = document.getElementById("told");
const signs = { pass: "✓ passed", hold: "? held", fail: "✗ failed", skip: "– skipped", infra: "! broke" };
const source = new EventSource(`/api/v1/jobs/${live.dataset.job}/events`);
source.addEventListener("queued", () => { now.textContent = "It waits in the queue."; told.replaceChildren(); });
source.addEventListener("started", () => { now.textContent = "Somebody is at it."; });
source.addEventListener("progress", (event) => { now.textContent = `${JSON.parse(event.data).rows} rows are done.`; });
source.addEventListener("step", (event) => { now.textContent = `Last step: ${JSON.parse(event.data).kind}.`; });
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
