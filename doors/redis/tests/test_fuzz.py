"""A short run of the hostile payloads; `fuzz.py` runs more of them."""

from fuzz import run


def test_hostile_payloads_do_not_end_the_server(name):
    outcomes = run(name, 3000, seed=7)
    assert outcomes["loaded"] > 100 and outcomes["refused"] > 1000 and outcomes["learned"] > 0
