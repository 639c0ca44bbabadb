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
ENDS = {0: "identified", 2: "error", 10: "ambiguous", 11: "refuted", 12: "undecided", -signal.SIGXCPU: "too long"}


def sample(axes, *groups):
    """Device and rules of each row of inventions.tsv in these groups, of these axes or of all."""
    with open(os.path.splitext(__file__)[0] + ".tsv", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [(device, ",".join([*others, rule])) for group, device, rule, *others in rows
            if group in groups and (not axes or rule.partition("=")[0] in axes)]


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
        for device, planted in shards.begin(given.shard, sample(given.axes, "condition")):
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
        planted = sample(given.axes, "planted", *([] if given.axes else ["two"]))
        runs = [(d, p, f"sim:{d},{p}", "") for d, p in planted]
    for device, planted, oracle, assumed in shards.begin(given.shard, runs):
        end, found, wrong, answers, took, used = row(cuvier, oracle, assumed, given.seconds)
        print(f"| {device} | `{planted}` | {end} | `{found}` | {wrong} | {answers} | {took:.0f} | {used:.0f} |", flush=True)


if __name__ == "__main__":
    main()
