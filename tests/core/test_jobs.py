"""A job's hash names all of its inputs in their order, and nothing else."""

from orchestrator.core.jobs import Case, Child, Job, Program


def job(*inputs: bytes, source: str = "def f(df): return df", children: int = 1) -> Job:
    """One case for each input, spread over the children."""
    size = -(-len(inputs) // children)
    groups = [inputs[at : at + size] for at in range(0, len(inputs), size)]
    made = tuple(Child(tuple(Case(str(number), data) for number, data in enumerate(group))) for group in groups)
    return Job((Program("f", source),), made)


def test_the_hash_is_of_the_inputs() -> None:
    """Another input, another order or another border between inputs gives another hash; another source does not."""
    known = job(b"ab", b"c").inputs_sha256
    assert job(b"ab", b"c", source="other", children=2).inputs_sha256 == known
    others = [job(b"a", b"bc"), job(b"c", b"ab"), job(b"ab"), job(b"ab", b"c", b"")]
    assert known not in {other.inputs_sha256 for other in others}
    assert len({other.inputs_sha256 for other in others}) == len(others)
