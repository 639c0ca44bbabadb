#!/usr/bin/env python3
"""Long work in shards: with --shard I/N a program does every N-th piece, from the I-th on.

shards.py take I/N PIECE...     "shard I/N of PIECES", then the pieces of shard I, one a line
shards.py merge FILE...         what all N shards printed, as if one had done it all

A shard prints "shard I/N of PIECES", and then a row for each of its pieces. What stands before that
line is the same in all; what comes after the rows are sums of its own. Where a shard is missing or was
cut off, merge says which, and ends with 2.
"""
import argparse
import re
import sys


def shard(text):
    """(I, N) of "I/N"."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text}: not I/N, such as 3/8, with I from 1 to N")
    return int(match[1]), int(match[2])


def complain(text):
    print(f"shards.py: {text}", file=sys.stderr)
    sys.exit(2)


def begin(of, pieces):
    """The pieces of this shard, whose rows follow."""
    part, parts = of
    if parts > max(1, len(pieces)):
        complain(f"--shard {part}/{parts}: there are {len(pieces)} pieces, and N is at most that")
    if parts > 1:
        print(f"shard {part}/{parts} of {len(pieces)}", flush=True)
    return pieces[part - 1::parts]


def read(name):
    """(I, (N, pieces, head)), rows, sums."""
    with open(name, encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]  # without one that was cut off
    for i, line in enumerate(lines):
        if match := re.fullmatch(r"shard (\d+)/(\d+) of (\d+)", line):
            part, parts, pieces = map(int, match.groups())
            wanted = len(range(part - 1, pieces, parts))
            rows, sums = lines[i + 1:i + 1 + wanted], lines[i + 1 + wanted:]
            if len(rows) < wanted:
                complain(f"{name}: {len(rows)} of {wanted} rows; run shard {part}/{parts} again")
            return part, (parts, pieces, lines[:i]), rows, sums
    complain(f"{name}: no line says which shard it is; was it run with --shard?")


def merge(names):
    shards = {}
    for name in names:
        part, run, rows, sums = read(name)
        if shards and run != first:
            complain(f"{name}: of another run than {names[0]}; name the files of one")
        first = run
        if part in shards:
            complain(f"{name}: shard {part} is there twice; name one of them")
        shards[part] = rows, sums
    parts, pieces, head = first
    for part in range(1, parts + 1):
        if part not in shards:
            complain(f"shard {part}/{parts} is missing; name its file, too")
    print(*head, *(shards[i % parts + 1][0][i // parts] for i in range(pieces)), sep="\n")
    for part, (_, sums) in sorted(shards.items()):
        if sums:
            print(f"\nshard {part}/{parts}:", *filter(None, sums), sep="\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = arguments.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("take")
    taking.add_argument("shard", type=shard)
    taking.add_argument("pieces", nargs="*")
    merging = commands.add_parser("merge")
    merging.add_argument("files", nargs="+")
    given = arguments.parse_args()
    if given.command == "take":
        print(*begin(given.shard, given.pieces), sep="\n")
    else:
        merge(given.files)


if __name__ == "__main__":
    main()
