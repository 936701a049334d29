"""Keys that hold something of everything, and what must hold for them."""

KEYS = ("growing", "fixed", "cuckoo", "seesaw", "counting", "arriving", "replaced")


def fill(r, raw):
    """Makes one key of each sort, and returns what it answers."""
    for n in range(0, 3000, 100):
        r.execute_command("BF.MADD", "growing", *range(n, n + 100))
    r.execute_command("BF.RESERVE", "fixed", "0.001", "1000", "NONSCALING")
    r.execute_command("BF.MADD", "fixed", *range(900))
    options = ["CAPACITY", 3000, "BITSPERKEY", 14, "SET", "exceptions", 0.1]
    r.execute_command("BW.CREATE", "cuckoo", "cuckoo", *options)
    r.execute_command("BW.ADD", "cuckoo", *range(3000))
    r.execute_command("BW.REM", "cuckoo", *range(100))
    for item in range(100_000, 120_000):
        yes, stamp = r.execute_command("BW.EXISTS", "cuckoo", item, "WITHSTAMP")
        if yes:
            r.execute_command("BW.MISS", "cuckoo", item, "COST", item % 7, "SINCE", stamp)
    r.execute_command("BW.CREATE", "seesaw", "seesaw-adaptive", "CAPACITY", 1000, "BITSPERKEY", 40)
    r.execute_command("BW.ADD", "seesaw", *range(1000))
    r.execute_command("BW.GUARD", "seesaw", *range(5000, 5100))
    r.execute_command("BW.REM", "seesaw", *range(50))
    r.execute_command("BW.CREATE", "counting", "counting", "CAPACITY", 500)
    r.execute_command("BW.ADD", "counting", *range(500))
    # Filters that were received in part.
    raw.copy("cuckoo", "whole")
    file = raw.execute_command("BW.DUMP", "whole")
    raw.execute_command("BW.LOAD", "arriving", file[:4096], "AT", 0, "OF", len(file))
    raw.execute_command("COPY", "counting", "replaced")
    raw.execute_command("BW.LOAD", "replaced", file[:4100], "AT", 0, "OF", len(file), "REPLACE")
    return answers(r)


def ask(r):
    """What all keys answer."""
    asked = [*range(3000), *range(100_000, 104_000)]
    return {key: r.execute_command("BW.EXISTS", key, *asked) for key in KEYS if key != "arriving"}


def answers(r):
    """What all keys answer after `fill`: no false negatives."""
    found = ask(r)
    assert all(found["growing"][:3000]) and all(found["cuckoo"][100:3000])
    assert all(found["fixed"][:900]) and all(found["seesaw"][50:1000])
    assert all(found["counting"][:500]) and all(found["replaced"][:500])
    return found


def finish_arriving(raw):
    """The filter that was received in part can be completed."""
    file = raw.execute_command("BW.DUMP", "whole")
    raw.execute_command("BW.LOAD", "arriving", file[4096:], "AT", 4096, "OF", len(file))
    assert raw.execute_command("BW.DUMP", "arriving") == file
