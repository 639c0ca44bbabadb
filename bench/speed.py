#!/usr/bin/env python3
"""How fast cuvier is and what memory it takes: each command several times, one after the other.

speed.py [--runs N] BUILD     BUILD: what a preset built, build/release

A row is a command: the least, median and most seconds by the clock, seconds of CPU in the median run,
and the most memory. What simulates or predicts prints rates of its own, from the same runs. Where a
row ran on one core as well, what Amdahl's law makes of the two for sixteen cores comes last. Run it
where nothing else runs; it takes some twenty minutes on two cores. What takes longer than a minute runs
once.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile


LONG = 60


def grid_in_waves(blocks):
    """A grid that is let go whenever it fills the device, until all of it has run."""
    kernels = {"k": {"blocks": blocks, "threads": 64, "registers": 32}}
    waves = -(-blocks // (132 * 32))
    script = [{"launch": "k"}] + [{"release": ["k"]}] * waves
    return json.dumps({"name": "waves", "kernels": kernels, "script": script})


def long_journal(journal, recordings):
    """An inference's journal over and over, each time in another session."""
    device, *lines = journal.read_text().splitlines()
    lines = [json.loads(line) for line in lines]
    written = [device]
    while len(written) <= recordings:
        written.append('{"type":"session"}')
        for line in lines:
            again = dict(line)
            if "name" in again:
                again["name"] += f"-{len(written)}"
            written.append(json.dumps(again))
    return "\n".join(written[: recordings + 1]) + "\n"


def commands(build, folder):
    """(what it is, the command, whether on one core, too)"""
    cuvier = build / "cli/cuvier"
    bench = build / "bench"

    def infer(name, oracle, *more):
        return [cuvier, "infer", "--oracle", oracle, *more, "--out", folder / name]

    def infer_of(sms):
        return [bench / "bench_inference", "--devices", "rtx3090", "--sms", sms, "--seeds", "1"]

    yield "infer, RTX 3090", infer("rtx3090", "sim:rtx3090"), True
    yield "infer, H200 with clusters", infer("h200", "sim:h200"), False
    for sms in ("132", "528", "1056"):
        yield f"infer, RTX 3090 of {sms} SMs", infer_of(sms), sms == "132"
    yield "predict, Algorithm 1", [bench / "bench_prediction", "--hypotheses", "algorithm-1"], False
    for load in ("0.5", "0.58"):
        yield f"simulate, load {load}", [bench / "bench_simulate", "--load", load, "--blocks", "1000000"], False
    for blocks in (10_000, 100_000, 1_000_000):
        probe = folder / f"{blocks}.json"
        probe.write_text(grid_in_waves(blocks))
        yield f"predict, {blocks:,} blocks", [cuvier, "predict", probe, "--device", "h200", "--json"], False
    for recordings in (1_000, 10_000):
        journal = folder / f"{recordings}.jsonl"
        journal.write_text(long_journal(folder / "rtx3090/journal.jsonl", recordings))
        of, out = f"{recordings:,} recordings", f"{recordings}"
        yield f"check, {of}", [cuvier, "check", journal], False
        all_of_it = (f"recording:{journal}", "--max-probes", out)
        yield f"infer, {of}", infer(out, *all_of_it), False
        yield f"infer --resume, {of}", infer(out, *all_of_it, "--resume"), False
        yield f"report, {of}", [cuvier, "report", folder / out], False
        yield f"verify, {of}", [cuvier, "verify", folder / out], False
        yield f"cuvier-verify, {of}", [build / "verify/cuvier-verify", folder / out], False
    yield "verify, RTX 3090", [cuvier, "verify", folder / "rtx3090"], False
    yield "cuvier-verify, RTX 3090", [build / "verify/cuvier-verify", folder / "rtx3090"], False
    yield "audit, A100", [cuvier, "audit", "corpus/a100/wilde.jsonl"], False


def run(command):
    """(seconds, CPU seconds, MiB, what it printed)"""
    if "--out" in command and "--resume" not in command:
        subprocess.run(["rm", "-rf", command[-1]], check=True)
    with tempfile.TemporaryFile("w+") as out:
        started = os.times().elapsed
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = os.times().elapsed - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 10, 11):  # found out, or not all of it
            raise SystemExit(f"{command}: ended with {process.returncode}")
        out.seek(0)
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read()


def measure(name, command, runs):
    results = [run(command)]
    if results[0][0] < LONG:
        results += [run(command) for _ in range(runs - 1)]
    results.sort()
    (least, *_), median, (most, *_) = results[0], results[len(results) // 2], results[-1]
    peak = max(result[2] for result in results)
    print(f"| {name} | {least:.2f} | {median[0]:.2f} | {most:.2f} | {median[1]:.2f} | {peak:,.0f} |", flush=True)
    if "bench_prediction" in str(command[0]) or "bench_simulate" in str(command[0]):
        return median[0], [result[3] for result in results]
    return median[0], []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("build", type=pathlib.Path)
    options = parser.parse_args()
    printed, models = [], []
    print("| command | least s | median s | most s | CPU s | MiB |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, command, on_one_core in commands(options.build, pathlib.Path(folder)):
            two, rates = measure(name, command, options.runs)
            printed += rates
            if on_one_core:
                one, _ = measure(f"{name}, one core", ["taskset", "-c", "0", *command], options.runs)
                shared = max(0, 2 * (one - two))
                models.append(f"| {name} | {one - shared:.1f} | {shared:.1f} | {one - shared + shared / 16:.1f} |")
    print("\n| command | serial s | shared s | on 16 cores s |\n| --- | --- | --- | --- |", *models, sep="\n")
    print("", *printed, sep="\n")


if __name__ == "__main__":
    main()
