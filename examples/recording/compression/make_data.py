#!/usr/bin/env python3
"""Writes data whose parts compress differently: prose, a table of numbers, noise, zeros.

usage: make_data.py MEGABYTES SEED > FILE     the same numbers, the same bytes
"""
import random
import sys

CHUNK = 1 << 16


def prose(rng):
    words = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randint(2, 9))) for _ in range(3000)]
    while True:
        yield " ".join(rng.choices(words, k=CHUNK // 6)).encode()


def table(rng):
    row = 0
    while True:
        lines = []
        for _ in range(CHUNK // 24):
            row += 1
            lines.append(b"%d,%d,%d\n" % (row, row * 7 % 1000, rng.randrange(1000)))
        yield b"".join(lines)


def noise(rng):
    while True:
        yield rng.randbytes(CHUNK)


def zeros(_):
    while True:
        yield bytes(CHUNK)


def main():
    megabytes, seed = int(sys.argv[1]), int(sys.argv[2])
    out = sys.stdout.buffer
    parts = (prose, table, noise, zeros)
    each = (megabytes << 20) // len(parts)
    for number, part in enumerate(parts):
        left = each
        for chunk in part(random.Random(seed * len(parts) + number)):
            out.write(chunk[:left])
            left -= min(left, len(chunk))
            if left == 0:
                break


main()
