"""Tasks and answers as bytes: what goes in comes out, and what was altered on the way is refused."""

import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import GuestProtocolError, ImageMissing, PostureError, SandboxError
from orchestrator.core.jobs import (
    Case,
    Child,
    ChildResult,
    Ended,
    GuestEnvironment,
    Job,
    JobResult,
    Limits,
    Op,
    Program,
    SandboxInfo,
)
from orchestrator.core.policy import ContainerPolicy
from orchestrator.scale.task_frames import (
    ClusterTask,
    read_answer,
    read_task,
    task_id,
    write_answer,
    write_error,
    write_task,
)

JOB = Job(
    (Program("trim", "def trim(df): ...\n"), Program("up", "é", Shape.TEXT, ("city",))),
    (
        Child(
            (Case("a", b"\x00rows", (Op.F, Op.DETECT), 1, echo_input=True), Case("b", b"\x00rows")), Limits(wall_s=3)
        ),
        Child((Case("c", b""),), ends_job=True),
    ),
    GuestEnvironment.CONFIRM,
)
TASK = ClusterTask(JOB, ContainerPolicy(pids=50), "session", strict=True)
RESULT = JobResult(
    (ChildResult(Ended.OK, b"ARROW\xff", 0.5, 1.5, 9), ChildResult(Ended.TIMEOUT)),
    SandboxInfo(image="sha256:1", hash_seeds=(7,)),
    0.25,
    2.0,
)
FRAME = write_task(TASK, "1 a")
ID = task_id(FRAME)


def test_a_task_comes_out_as_it_went_in() -> None:
    """With every input sent once, however many cases share it."""
    assert read_task(FRAME, "1 a") == TASK
    assert FRAME.count(b"\x00rows") == 1


def test_an_answer_comes_out_as_it_went_in() -> None:
    """With the worker that gave it."""
    answer = read_answer(write_answer(ID, "tls://w:1", RESULT), ID, 2)
    assert (answer.children, answer.info, answer.worker) == (RESULT.children, RESULT.info, "tls://w:1")


def test_another_versions_task_is_refused() -> None:
    """Before anything else of it is read."""
    with pytest.raises(ImageMissing, match="another version"):
        read_task(FRAME, "2 a")


def test_a_task_for_another_image_of_the_same_version_says_so() -> None:
    """Both ends saw the same number, and were told that their versions differ."""
    with pytest.raises(ImageMissing, match=r"another build of cleanroom 1, with another sandbox image") as caught:
        read_task(FRAME, "1 other")
    assert "same build" in caught.value.advice


@pytest.mark.parametrize(
    "frame", [b"", b"\x00", FRAME[:40], FRAME[:-1], FRAME + b"x", b"\xff" * 40, b"\x00\x00\x00\x02[]"]
)
def test_what_is_no_task(frame: bytes) -> None:
    """Cut, longer or foreign bytes are an error of the infrastructure."""
    with pytest.raises(SandboxError):
        read_task(frame, "1 a")


def test_an_altered_answer_is_refused() -> None:
    """Every byte of what a container wrote counts, and so does the task that it answers."""
    frame = write_answer(ID, "w", RESULT)
    with pytest.raises(SandboxError, match="not what its hash says"):
        read_answer(frame.replace(b"ARROW", b"ARROV"), ID, 2)
    with pytest.raises(SandboxError, match="not what its hash says"):
        read_answer(frame, ID, 3)
    with pytest.raises(SandboxError, match="another task"):
        read_answer(frame, task_id(b"x"), 2)
    for cut in range(len(frame)):
        with pytest.raises(SandboxError):
            read_answer(frame[:cut], ID, 2)


def test_errors_are_raised_where_the_answer_is_read() -> None:
    """As themselves, with their advice; what may be tried again stays so."""
    error = PostureError("It is not safe.", advice="Do this.")
    with pytest.raises(PostureError, match=r"It is not safe\.") as raised:
        read_answer(write_error(ID, "w", error), ID, 2)
    assert raised.value.advice == "Do this."
    with pytest.raises(GuestProtocolError) as temporary:
        read_answer(write_error(ID, "w", GuestProtocolError("gone")), ID, 2)
    assert temporary.value.temporary
