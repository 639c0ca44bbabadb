#!/usr/bin/env python3
"""conditions.py CUVIER [--seed N] [--shard I/N] [AXIS]...

Rules that are Algorithm 1's but where a condition holds: for some kernels, on some SM, at some moment. Each is planted in
a simulated device, and `cuvier infer` is to notice that no hypothesis explains it. A row of the table for each, as it
ends: `identified` is wrong. What came out is in docs/design/measured/conditions.md.
"""
import argparse
import os
import re
import subprocess
import tempfile
import time

import shards

# DEVICE, AXIS, FORMULA. Rules that are no others on their device were left out.
PLANTED = [
    ("t4", "shared_placement", "bytes >= 12288 ? -start : start"),
    ("t4", "shared_placement", "bytes >= 8192 ? -length : start"),
    ("t4", "shared_placement", "bytes < 4096 ? -start : start"),
    ("t4", "shared_placement", "config == 32768 ? -start : start"),
    ("t4", "shared_placement", "length >= 16384 ? start + 65536 : start"),
    ("t4", "shared_room", "bytes >= 12288 ? free / bytes + 1 : longest / bytes"),
    ("t4", "shared_room", "bytes <= 2048 ? longest / bytes / 2 : longest / bytes"),
    ("t4", "shared_room", "config == 65536 ? free / bytes : longest / bytes"),
    ("t4", "selection", "own >= 6 ? room : -room"),
    ("t4", "selection", "held_bytes > 30000 ? 0 : -room"),
    ("t4", "selection", "rank == 0 ? -room + 3 : -room"),
    ("t4", "selection", "warps == 20 ? -100 : -room"),
    ("t4", "selection", "placed == 50 ? room : -room"),
    ("t4", "selection", "left == 1 ? room : -room"),
    ("t4", "selection", "since == 13 ? 0 : -room"),
    ("t4", "selection", "joined == 3 ? room : -room"),
    ("t4", "selection", "w >= 16 ? -warps : -room"),
    ("t4", "selection", "(-room, registers >= 96 ? -rank : rank)"),
    ("t4", "selection", "(-room, w >= 8 ? -sm : 0)"),
    ("t4", "selection", "bytes > 32768 ? blocks : -room"),
    ("t4", "selection", "placed >= 200 ? warps : -room"),
    ("t4", "selection", "blocks >= 12 ? 0 : -room"),
    ("t4", "selection", "(-min(room, 12))"),
    ("t4", "admission", "blocks != 11 or warps < 11"),
    ("t4", "admission", "sm != 3 or warps + w != 32"),
    ("t4", "admission", "own_on_device != 77"),
    ("t4", "admission", "w != 7 or own < 3"),
    ("t4", "admission", "bytes < 40000 or blocks == 0"),
    ("t4", "admission", "registers < 200 or warps == 0"),
    ("t4", "admission", "own < 14"),
    ("t4", "priority", "w == 13 ? -6 : priority"),
    ("t4", "priority", "(priority, w == 7 ? -1 : 0)"),
    ("t4", "priority", "w >= 16 ? 0 : priority"),
    ("t4", "priority", "placed >= 100 ? 0 : priority"),
    ("t4", "priority", "(priority, w >= 8 ? -joined : joined)"),
    ("t4", "queue", "w == 1 and head_warps == 32"),
    ("t4", "queue", "bytes == 1024"),
    ("t4", "queue", "head_left == 1"),
    ("t4", "queue", "w >= 24"),
    ("t4", "queue", "registers >= 128 and head_registers < 64"),
    ("t4", "queue", "behind >= 3"),
    ("t4", "queue", "priority < -2"),
    ("t4", "connection", "stream == 5 ? 4 : stream"),
    ("t4", "local_memory", "local > grown or users > 7"),
    ("t4", "local_memory", "local > grown and users < 6"),
    ("t4", "local_memory", "local > grown or local > 4096"),
    ("t4", "register_granularity", "registers == 40 ? 1536 : (registers * 32 + 255) / 256 * 256"),
    ("t4", "register_granularity", "registers >= 200 ? (registers * 32 + 511) / 512 * 512 : (registers * 32 + 255) / 256 * 256"),
    ("t4", "warp_placement", "i == 9 ? p + i + 1 : p + i"),
    ("t4", "warp_placement", "p == 2 and i == 3 ? p : p + i"),
    ("t4", "warp_placement", "w >= 16 ? p + i + 2 : p + i"),
    ("t4", "warp_placement", "registers >= 96 ? onward : p + i"),
    ("t4", "pointer_skip", "next + (w == 12 ? 0 : w mod 4 == 0 ? 1 : 0)"),
    ("t4", "pointer_skip", "w == 6 ? next + 1 : next + (w mod 4 == 0 ? 1 : 0)"),
    ("t4", "pointer_skip", "p == 3 and w == 2 ? 0 : next + (w mod 4 == 0 ? 1 : 0)"),
    ("t4", "pointer_skip", "registers >= 96 ? next : next + (w mod 4 == 0 ? 1 : 0)"),
    ("t4", "pointer_reset", "warps == 0 or warps == 7"),
    ("t4", "pointer_reset", "warps <= 1"),
    ("t4", "room_warps", "free == 12 ? min(strict, pool) / w - 1 : min(strict, pool) / w"),
    ("t4", "room_warps", "w == 3 ? min(free, pool) / w : min(strict, pool) / w"),
    ("t4", "room_warps", "registers >= 128 ? min(free, pool) / w : min(strict, pool) / w"),
    ("t4", "room_warps", "w >= 16 ? 1 : min(strict, pool) / w"),
    ("t4", "config_occupancy", "w == 5 ? 1 : min(blocks, 4 * min(slots, file / warp_registers) / w, in_space)"),
    ("t4", "config_occupancy", "w >= 16 ? 1 : min(blocks, 4 * min(slots, file / warp_registers) / w, in_space)"),
    ("t4", "config_gate", "preferred <= current or bytes == 3072"),
    ("t4", "config_change", "idle == 1 ? (target == 65536 ? current : target) : current"),
    ("t4", "config_change", "idle == 1 and emptied == 0 ? target : idle == 1 ? max(current, target) : current"),
    ("t4", "runtime_shared", "w == 11 ? 2048 : 1024"),
    ("t4", "runtime_shared", "registers > 120 ? 2048 : 1024"),
    ("t4", "runtime_shared", "w >= 24 ? 2048 : 1024"),
    ("t4", "runtime_shared", "bytes > 40000 ? 0 : 1024"),
    ("t4", "shared_granularity", "bytes > 20000 ? (bytes + 1023) / 1024 * 1024 : (bytes + 127) / 128 * 128"),
    ("t4", "shared_granularity", "bytes mod 256 == 1 ? bytes + 255 : (bytes + 127) / 128 * 128"),
    ("t4", "batch_size", "left == 33 ? 2 : 1"),
    ("t4", "batch_size", "w == 1 ? 2 : 1"),
    ("t4", "dispatch_batch", "left == 37"),
    ("t4", "config_target", "bytes > 16384 ? max(wanted, 65536) : wanted"),
    ("h200", "cluster_gpc", "cluster == 2 ? turn : -fitting"),
    ("h200", "cluster_gpc", "(-fitting, blocks / 8)"),
    ("h200", "cluster_sms", "cluster >= 4 ? -sm : sm"),
    ("h200", "cluster_gpc_order", "cluster == 3 ? -sms : sms"),
    ("rtx3090", "register_granularity", "w >= 8 ? (registers * 32 + 511) / 512 * 512 : (registers * 32 + 255) / 256 * 256"),
    ("rtx3090", "shared_placement", "bytes >= 20000 ? -start : start"),
    ("rtx3090", "shared_placement", "bytes >= 30000 ? -length : start"),
    ("rtx3090", "selection", "w >= 24 ? room : -room"),
]


def row(cuvier, oracle, seed):
    """What becomes of it, and after how many seconds that is clear. What comes nearest is not waited for."""
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        command = [cuvier, "infer", "--oracle", oracle, "--seed", str(seed), "--out", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
            for line in run.stdout:
                if end := re.match(r" *(identified|ambiguous|refuted|undecided)\b", line):
                    run.kill()
                    return end[1], time.time() - start
    return "none", time.time() - start


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("cuvier")
    arguments.add_argument("axes", nargs="*")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--shard", type=shards.shard, default="1/1")
    given = arguments.parse_intermixed_args()
    cuvier = os.path.realpath(given.cuvier)
    print("| device | planted | end | seconds |\n| --- | --- | --- | --- |", flush=True)
    runs = [(device, f"{axis}={formula}") for device, axis, formula in PLANTED if axis in (given.axes or [axis])]
    for device, planted in shards.begin(given.shard, runs):
        end, took = row(cuvier, f"sim:{device},{planted}", given.seed)
        print(f"| {device} | `{planted}` | {end} | {took:.0f} |", flush=True)


if __name__ == "__main__":
    main()
