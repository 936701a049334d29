"""Files of the format and payloads of RESTORE, made by hand: checksums, and filters of several shards, which no command creates."""

import struct

import xxhash

CHUNK = 1 << 20


def sum_of(data):
    return struct.pack("<Q", xxhash.xxh3_64_intdigest(bytes(data)))


def aligned(length):
    return -(-length // 64) * 64


def mend(file):
    """Makes all checksums of a file right, as far as its lengths allow."""
    file = bytearray(file)
    if len(file) < 88:
        return bytes(file)
    count, words = struct.unpack_from("<QQ", file, 56)
    parameters = bytes(file[80 : 80 + 8 * min(count, 480)])
    file[72:80] = sum_of(bytes(file[:72]) + parameters)
    start = aligned(80 + 8 * min(count, 480))
    end = start + 8 * words
    if end + 16 <= len(file):
        sums = b"".join(sum_of(file[at : min(at + CHUNK, end)]) for at in range(start, end, CHUNK))
        table = sums + sum_of(bytes(file[72:80]) + sums)
        file[end : end + len(table)] = table
    return bytes(file)


def sharded(files):
    """The file of a filter whose shards are these files, of one kind and hashing."""
    fields = [struct.unpack_from("<QQ", file, 32) for file in files]
    directory = b"".join(struct.pack("<Q", len(file)) for file in files)
    payload = b"".join(part.ljust(aligned(len(part)), b"\0") for part in (directory, *files))
    parameters = struct.pack("<QQQQ", len(files), 0, len(files), 1) + sum_of(directory)
    head = bytearray(files[0][:72])
    head[13] = 1
    struct.pack_into("<QQ", head, 32, *(sum(field) % 2**64 for field in zip(*fields)))
    struct.pack_into("<QQ", head, 56, 5, len(payload) // 8)
    start = bytes(head) + bytes(8) + parameters
    table = bytes(8 * (-(-len(payload) // CHUNK) + 1))
    return mend(start.ljust(aligned(len(start)), b"\0") + payload + table)


# CRC-64 of Jones, reflected, as the server computes it.
TABLE = []
for byte in range(256):
    crc = byte
    for _ in range(8):
        crc = crc >> 1 ^ (0x95AC9329AC4BC9B5 if crc & 1 else 0)
    TABLE.append(crc)


def crc64(data):
    crc = 0
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc


def length(number):
    """A length as the server writes it in an RDB file."""
    if number < 64:
        return bytes([number])
    if number < 16384:
        return bytes([0x40 | number >> 8, number & 0xFF])
    if number < 2**32:
        return b"\x80" + struct.pack(">I", number)
    return b"\x81" + struct.pack(">Q", number)
