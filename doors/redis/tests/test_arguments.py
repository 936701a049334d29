"""Arguments may be any bytes: an error quotes them as printable text, and the server stays up."""

import pytest
from redis.exceptions import ResponseError

# Code points that are multiples of 256, so that the lowest byte is 0; a zero; lines; bytes that are no text; a long argument.
HOSTILE = ["\u4e00", "\u0100", "a\0b", "a\r\n-ERR b", b"\xff\xfe\x00", "%s%n", "\u4e00" * 1000, ""]

COMMANDS = """
BF.RESERVE k 0.01 100 ?
BF.RESERVE k ? 100
BF.RESERVE k 0.01 ?
BF.RESERVE k 0.01 100 EXPANSION ?
BF.RESERVE k 0.01 100 HASH ?
BF.INSERT k ? ITEMS a
BF.INSERT k CAPACITY ? ITEMS a
BF.INSERT k ERROR ? ITEMS a
BF.INFO there ?
BF.SCANDUMP there ?
BF.LOADCHUNK k ? data
BF.LOADCHUNK k 1 ?
BW.CREATE k ? CAPACITY 10
BW.CREATE k bloom ? 10
BW.CREATE k bloom CAPACITY ?
BW.CREATE k bloom CAPACITY 10 ERROR ?
BW.CREATE k bloom CAPACITY 10 BYTES ?
BW.CREATE k bloom CAPACITY 10 BITSPERKEY ?
BW.CREATE k bloom CAPACITY 10 SET ? 1
BW.CREATE k bloom CAPACITY 10 SET k ?
BW.CREATE k bloom CAPACITY 10 HASH ?
BW.GUARD there a COST ?
BW.MISS there a ?
BW.MISS there a COST ?
BW.MISS there a SINCE ?
BW.LOAD k ?
BW.LOAD k x ?
BW.LOAD k x AT ? OF 9
BW.DUMP there ?
BW.DUMP there AT ?
BW.DUMP there AT 0 COUNT ?
BW.INFO there ?
BW.LIST ?
"""


@pytest.mark.parametrize("command", COMMANDS.strip().splitlines())
def test_hostile_argument_is_an_error_in_ascii(raw, command):
    raw.execute_command("BF.ADD", "there", "a")
    for hostile in HOSTILE:
        words = [hostile if word == "?" else word for word in command.split()]
        with pytest.raises(ResponseError) as caught:
            raw.execute_command(*words)
        text = str(caught.value)
        assert text.isascii() and text.isprintable() and "has failed" not in text, text
        assert len(text) < 20_000
    assert raw.exists("k") == 0


@pytest.mark.parametrize("item", HOSTILE)
def test_hostile_items_and_keys_are_taken_as_they_are(raw, item):
    raw.execute_command("BW.CREATE", item, "cuckoo", "CAPACITY", 100)
    for command in ("BF.ADD", "BF.MADD", "BF.EXISTS", "BF.MEXISTS"):
        raw.execute_command(command, "k", item)
    for command in ("BW.ADD", "BW.EXISTS", "BW.REM", "BW.GUARD", "BW.DUMP", "BW.INFO"):
        raw.execute_command(command, item, *([item] if command not in ("BW.DUMP", "BW.INFO") else []))
    _, stamp = raw.execute_command("BW.EXISTS", item, item, "WITHSTAMP")
    raw.execute_command("BW.MISS", item, item, "SINCE", stamp)
    assert raw.ping()
