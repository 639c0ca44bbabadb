#!/usr/bin/env python3
"""inventions.py CUVIER left-out|planted|boxes [--formulas] [--seconds S] [--shard I/N] [AXIS[=VALUE] | NUMBER]...
inventions.py CUVIER conditions [--seed N] [--shard I/N] [AXIS]...

left-out: each named value of an axis that is not the first, planted in a simulated T4 (H200 where
it needs a map or clusters), while only the first is assumed of that axis. --formulas: only those
that can be written as formulas. planted: formulas that no table has. boxes: the black boxes of
tests/law/breakers.h, all or those of these numbers, by BUILD/bench/bench_breaker_oracle. `cuvier
invent` is to find each again. A row of the table for each, as it ends; docs/design/measured/inventions.md has what
came out. Seconds on the clock, and of processors; --seconds S ends one after S of the latter.

conditions: Algorithm 1's rules but where a condition holds: for some kernels, on some SM, at some
moment. No hypothesis is one, and `cuvier infer` is to notice that: `identified` is wrong. What came
out is in docs/design/measured/conditions.md.
"""
import argparse
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time

import shards

# Under which others a value of the axis shows.
CONTEXT = {
    "group_selection": "hierarchy=tpc", "group_turn": "hierarchy=tpc",
    "batch_margin": "dispatch_batch=pair", "batch_lag": "dispatch_batch=pair",
    "pairs_in_flight": "dispatch_batch=pair", "cursor_reset": "selection=round_robin",
    "shared_room": "shared_placement=best_fit",
}
# What a T4 does not show.
SEEN_ON = {"config_gate=preferred_if_dynamic": "rtx3090"}
# DEVICE, AXIS, FORMULA, OTHERS
PLANTED = [
    ("t4", "pointer_skip", "next + (w >= 8 ? 1 : 0)", ""),
    ("t4", "pointer_skip", "w", ""),
    ("t4", "pointer_skip", "next + w / 8", ""),
    ("t4", "tie_break", "sm * 7 mod sms", ""),
    ("t4", "tie_break", "(tpc mod 4, sm)", ""),
    ("t4", "selection", "warps + blocks", ""),
    ("t4", "selection", "warps - 2 * room", ""),
    ("t4", "selection", "min(room, 4) * -1", ""),
    ("t4", "dispatch_batch", "left > 3 * sms", ""),
    ("t4", "dispatch_batch", "blocks >= 4 * sms", ""),
    ("t4", "pairs_in_flight", "picks >= 8 ? 2 : 1", "dispatch_batch=pair"),
    ("t4", "config_rounding", "max(down, up / 2)", ""),
    ("t4", "runtime_shared", "512 + 128 * w", ""),
    ("t4", "register_granularity", "(registers * 32 + 383) / 384 * 384", ""),
    ("t4", "room_warps", "min(free, pool) / (w + 1)", ""),
    ("t4", "shared_granularity", "max(bytes, 2048)", ""),
    ("t4", "config_gate", "preferred <= 2 * current", ""),
    ("t4", "queue", "w < head_warps", ""),
    ("t4", "queue", "blocks <= head_left", ""),
    ("h200", "tie_break", "(place_in_gpc, -gpc)", ""),
    ("t4", "admission", "blocks < 15 or priority < 0", ""),
    ("rtx3090", "admission", "w < 16 or blocks < 2", ""),
    ("t4", "admission", "w < 5 or sm != 5", ""),
    ("t4", "selection", "(-room, -since)", "cursor_reset=never"),
    ("t4", "selection", "(-room, w >= 16 ? -sm : 0)", ""),
    ("t4", "batch_size", "left > 2 * sms ? 3 : 1", ""),
    ("t4", "selection", "(-room, (rank - joined) mod sms)", ""),
    ("t4", "selection", "priority < 0 ? -warps : -room", ""),
    ("t4", "admission", "priority < 0 or warps + w < 25", ""),
    ("t4", "admission", "own_on_device < 60", ""),
    ("t4", "priority", "(priority, running)", ""),
    ("t4", "shared_placement", "-length", ""),
    # The second sample.
    ("t4", "admission", "(sm - placed) mod 4 == 0", ""),
    ("t4", "admission", "own < 4", ""),
    ("t4", "selection", "(-room, abs(sm - previous))", ""),
    ("t4", "priority", "(priority, -blocks)", ""),
    ("t4", "connection", "stream mod 4", ""),
    ("t4", "warp_placement", "p + 2 * i", ""),
    ("t4", "admission", "kernels < 2", ""),
    ("t4", "queue", "bytes == 0", ""),
    ("t4", "tie_break", "abs(sm - 20)", ""),
    ("t4", "config_rounding", "w >= 8 ? largest : up", ""),
    ("t4", "batch_size", "w <= 4 ? 2 : 1", ""),
    ("t4", "selection", "(kernels, -room)", ""),
    ("t4", "admission", "held_threads + threads <= 768", ""),
    ("t4", "warp_layout", "power(w)", ""),
    ("t4", "shared_granularity", "bytes + bytes / 8", ""),
    ("h200", "tie_break", "(gpc mod 2, gpc, place_in_gpc)", ""),
    ("t4", "selection", "left < sms ? warps : -room", ""),
    ("t4", "room_warps", "min(strict, pool, 8)", ""),
    ("t4", "pointer_reset", "warps < 4", ""),
    ("t4", "shared_placement", "-start", ""),
    ("t4", "queue", "2 * w <= head_warps", ""),
    ("t4", "selection", "(freed, -room)", ""),
    ("t4", "admission", "priority < 0 or sm < sms - 2", ""),
    ("t4", "connection", "launched mod 2", ""),
    ("t4", "config_occupancy", "min(blocks, 4)", ""),
    ("t4", "runtime_shared", "1024 + (w > 16 ? 1024 : 0)", ""),
    ("t4", "register_granularity", "max(registers, 32) * 32", ""),
    ("t4", "selection", "held_registers / 4096", ""),
    ("t4", "cursor_reset", "placed mod 8 == 0", "selection=round_robin"),
    ("t4", "priority", "(priority, w)", ""),
    ("h200", "cluster_gpc", "(blocks, -gpc)", ""),
    ("h200", "cluster_sms", "-sm", ""),
    ("t4", "pointer_skip", "next + registers / 64", ""),
    ("t4", "batch_size", "min(left / sms, 4)", ""),
    ("t4", "selection", "(own, -room)", ""),
    ("t4", "admission", "device_blocks < 3 * sms", ""),
    ("t4", "queue", "behind < 3", ""),
    ("t4", "selection", "(tpc_blocks, -room)", ""),
    ("t4", "shared_room", "free / (bytes + 1024)", ""),
    ("t4", "config_gate", "preferred <= current or bytes <= 8192", ""),
    ("rtx3090", "config_change", "emptied == 1 ? preferred : max(current, target)", ""),
    ("t4", "warp_placement", "p + i / 2", ""),
    ("t4", "selection", "placed < sms ? sm : -room", ""),
    ("t4", "local_memory", "users >= 2", ""),
    ("t4", "admission", "bytes == 0 or tpc_blocks < 6", ""),
    ("t4", "selection", "(mark == joined + 1 ? 0 : 1, -room)", "mark=chosen == 1 ? joined + 1 : mark"),
    ("t4", "selection", "(room mod 2, -room)", ""),
    # The third, by somebody who had read what formulas can say, and nothing else.
    ("t4", "selection", "(blocks / 4, -room)", ""),
    ("t4", "selection", "(own, warps)", ""),
    ("t4", "selection", "(held_registers / 4096, turn)", ""),
    ("t4", "selection", "(freed, w <= 2 ? blocks : -room)", ""),
    ("t4", "admission", "blocks < 13 or priority < 0", ""),
    ("t4", "admission", "warps + w <= 24 or blocks == 0", ""),
    ("t4", "admission", "kernels < 3 or own > 0", ""),
    ("t4", "tie_break", "(tpc mod 5, place_in_tpc, tpc)", ""),
    ("t4", "batch_size", "max(1, 6 / w)", ""),
    ("t4", "priority", "(priority, placed / 24, joined)", ""),
    ("t4", "queue", "behind <= 2 and 2 * w <= head_warps", ""),
    ("t4", "connection", "priority < 0 ? 6 : stream mod 6", ""),
    ("t4", "local_memory", "users > 0 and wanted + held > 98304", ""),
    ("t4", "register_granularity", "max(1280, (registers * 32 + 255) / 256 * 256)", ""),
    ("t4", "warp_layout", "min(8, power(w))", ""),
    ("t4", "pointer_skip", "next + (registers > 72 ? 1 : 0)", ""),
    ("t4", "pointer_reset", "warps < 6", ""),
    ("t4", "room_warps", "min(6, strict / w)", ""),
    ("t4", "config_occupancy", "min(in_space, (grid + sms - 1) / sms)", ""),
    ("t4", "config_rounding", "wanted > 20480 ? largest : up", ""),
    ("t4", "config_gate", "preferred <= current or bytes <= 3072", ""),
    ("t4", "runtime_shared", "512 + 64 * w", ""),
    ("t4", "shared_placement", "bytes >= 12288 ? -start : start", ""),
    ("t4", "shared_room", "(free + longest) / (2 * bytes)", ""),
    ("t4", "admission", "tpc_blocks < 22", ""),
    ("t4", "selection", "(tpc_blocks == 0 ? 1 : 0, -room)", ""),
    ("t4", "selection", "warps mod 16", ""),
    ("h200", "selection", "(gpc == home_gpc ? 0 : 1, -room)", ""),
    ("t4", "queue", "behind < 2", ""),
    ("t4", "priority", "(priority, blocks - placed)", ""),
    ("t4", "admission", "priority < 0 or warps == 0 or warps + w <= 24", ""),
    ("h200", "admission", "cluster > 0 or sms_of_gpc < 4 or place_in_gpc < sms_of_gpc - 2", ""),
    ("t4", "batch_size", "max(1, 8 / w)", ""),
    ("t4", "room_warps", "min(strict, pool) / power(w)", ""),
    ("t4", "shared_room", "min(4, longest / bytes)", ""),
    ("rtx3090", "config_occupancy", "min(blocks, in_space, (grid + sms - 1) / sms)", ""),
    ("rtx3090", "config_change", "idle == 0 ? current : device_idle == 1 ? target : max(current, target)", ""),
    ("t4", "register_granularity", "registers > 64 ? (registers * 32 + 1023) / 1024 * 1024 : (registers * 32 + 255) / 256 * 256", ""),
    ("t4", "pointer_skip", "next + w / 4", ""),
    ("t4", "local_memory", "local > 0 and users > 0", ""),
    ("h200", "cluster_gpc", "(fitting mod cluster, turn)", ""),
    ("t4", "priority", "(priority + placed / 48, joined)", ""),
    ("t4", "priority", "(waited < 2 ? 1 : 0, priority, joined)", ""),
    ("t4", "priority", "(priority - (streak > 0 ? 1 : 0), streak > 0 ? 0 : 1, joined)", ""),
]
TWO = [("t4", "pointer_skip=next + (w >= 8 ? 1 : 0),selection=warps + blocks"),
       ("t4", "runtime_shared=2 * bytes / 64,pointer_skip=w"), ("t4", "queue=w < head_warps,tie_break=abs(sm - 20)"),
       ("t4", "admission=own < 4,selection=blocks"), ("t4", "priority=(priority, w),pointer_skip=next"),
       ("t4", "hierarchy=sm / 10,group_selection=(warps / 32, turn)"),
       ("t4", "mark=chosen == 1 ? mark + w : gone > 0 ? mark / 4 : mark,selection=(mark / 8, -room)"),
       ("t4", "mark=blocks == 0 ? 0 : gone > 0 ? 1 : mark,admission=mark == 0"),
       ("t4", "selection=(blocks / 2, turn),cursor_reset=placed mod 48 == 0"),
       ("t4", "warp_placement=i < 2 ? p + i : emptiest,pointer_skip=p + 3"),
       ("t4", "config_target=max(wanted, 3 * block_bytes),config_change=device_idle == 1 ? target : idle == 1 ? max(current, target) : current"),
       ("t4", "mark=chosen == 1 ? joined + 1 : mark,selection=(mark == joined + 1 ? 0 : 1, -room)"),
       ("t4", "mark=gone > 0 ? 4 : more > 0 ? max(0, mark - 1) : mark,selection=(mark > 0 ? 1 : 0, -room)"),
       ("t4", "hierarchy=sm / 8,group_selection=blocks"),
       ("t4", "selection=(-room, turn),cursor_reset=placed == 0 and left >= sms")]

# DEVICE, AXIS, FORMULA: Algorithm 1's rules but where a condition holds. What is no other rule on its device was left out.
CONDITIONS = [
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

ENDS = {0: "identified", 2: "error", 10: "ambiguous", 11: "refuted", 12: "undecided", -signal.SIGXCPU: "too long"}


def left_out(cuvier, wanted, formulas):
    table = json.loads(subprocess.run([cuvier, "axes", "--json"], capture_output=True, check=True).stdout)
    for axis in table["axes"]:
        first, *others = axis["values"]
        for value in others:
            if wanted and not {axis["name"], f"{axis['name']}={value['name']}"} & set(wanted):
                continue
            if formulas and "formula" not in value and axis["name"] not in ("batch_margin", "batch_lag"):
                continue
            needs = value["needs_gpc_map"] or value["needs_clusters"]
            context = CONTEXT.get(axis["name"], "")
            planted = f"{context + ',' if context else ''}{axis['name']}={value['name']}"
            device = SEEN_ON.get(f"{axis['name']}={value['name']}", "h200" if needs else "t4")
            yield device, planted, f"{axis['name']}={first['name']}"


def boxes(cuvier, wanted):
    oracle = os.path.join(os.path.dirname(cuvier), "..", "bench", "bench_breaker_oracle")
    count = int(re.search(r"below (\d+)", subprocess.run([oracle], capture_output=True, text=True).stderr)[1])
    for number in wanted or range(count):
        yield "rtx3090", number, f"exec:{oracle} {number}"


def row(cuvier, oracle, assumed, seconds):
    """What became of it, the rule that was found, the probes and seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.time(), processors()
        command = [cuvier, "invent", "--oracle", oracle, "--out", folder]
        command += ["--assume", assumed] if assumed else []
        run = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: limit(seconds))
        log = run.stdout
        end = ENDS.get(run.returncode, str(run.returncode))
        took = time.time() - start
        mechanism = re.findall(r"^  (?:mechanism|simplest) +(.*?)(?: \(the rest.*)?$", log, re.M)
        contradicted = re.findall(r"^(\d+) of 1000 contradict", log, re.M)
        journal = os.path.join(folder, "journal.jsonl")
        probes = open(journal).read().count('"type":"recording"') if os.path.exists(journal) else 0
        return (end, mechanism[-1] if mechanism else "", contradicted[-1] if contradicted else "", probes,
                took, processors() - before)


def verdict(cuvier, oracle, seed):
    """What becomes of it, and after how many seconds that is clear. What comes nearest is not waited for."""
    start = time.time()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as errors:
        command = [cuvier, "infer", "--oracle", oracle, "--seed", str(seed), "--out", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as run:
            for line in run.stdout:
                if end := re.match(r" *(identified|ambiguous|refuted|undecided)\b", line):
                    run.kill()
                    return end[1], time.time() - start
        errors.seek(0)
        return "none: " + errors.read().strip().rpartition("\n")[2], time.time() - start


def limit(seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def processors():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("cuvier")
    arguments.add_argument("which", choices=["left-out", "planted", "boxes", "conditions"])
    arguments.add_argument("axes", nargs="*")
    arguments.add_argument("--formulas", action="store_true")
    arguments.add_argument("--seconds", type=int, default=600)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--shard", type=shards.shard, default="1/1")
    given = arguments.parse_intermixed_args()
    cuvier = os.path.realpath(given.cuvier)
    if given.which == "conditions":
        print("| device | planted | end | seconds |\n| --- | --- | --- | --- |", flush=True)
        runs = [(d, f"{a}={f}") for d, a, f in CONDITIONS if not given.axes or a in given.axes]
        for device, planted in shards.begin(given.shard, runs):
            end, took = verdict(cuvier, f"sim:{device},{planted}", given.seed)
            print(f"| {device} | `{planted}` | {end} | {took:.0f} |", flush=True)
        return
    print("| device | planted | end | found | of 1,000 fresh sequences wrong | answers | seconds | of processors |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    if given.which == "boxes":
        runs = [(device, number, oracle, "") for device, number, oracle in boxes(cuvier, given.axes)]
    elif given.which == "left-out":
        runs = [(d, p, f"sim:{d},{p}", assumed) for d, p, assumed in left_out(cuvier, given.axes, given.formulas)]
    else:
        planted = [(d, f"{c + ',' if c else ''}{a}={f}") for d, a, f, c in PLANTED if not given.axes or a in given.axes]
        runs = [(d, p, f"sim:{d},{p}", "") for d, p in planted + (TWO if not given.axes else [])]
    for device, planted, oracle, assumed in shards.begin(given.shard, runs):
        end, found, wrong, answers, took, used = row(cuvier, oracle, assumed, given.seconds)
        print(f"| {device} | `{planted}` | {end} | `{found}` | {wrong} | {answers} | {took:.0f} | {used:.0f} |", flush=True)


if __name__ == "__main__":
    main()
