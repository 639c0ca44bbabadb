"""A fleet of simulated GPUs under a real Slurm, in which nearly everything dies once.

slurm_test.py CUVIER DIE [NODES]      NODES of two GPUs each, 2 unless given; 77 where Slurm cannot run
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from slurm import Slurm

CUVIER, DIE = sys.argv[1:3]
NODES = int(sys.argv[3]) if len(sys.argv) > 3 else 2
MAPS = [[0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0],
        [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]]
MAP_OF = [0, 1, 0, 2, 0, 3, 4, 1]
OTHER, NOISY = 3, 2  # the GPU of another mechanism, and the one that errs in 1 of 20 answers
LIMITS = {
    "name": "a small GPU", "architecture": "sm_90", "sms": 12, "sms_per_tpc": 2, "subpartitions": 4,
    "max_blocks_per_sm": 16, "max_warps_per_sm": 48, "max_threads_per_block": 1024,
    "max_registers_per_thread": 255, "registers_per_sm": 65536, "shared_configs": [0, 8192, 102400],
    "max_shared_per_block": 101376, "max_resident_kernels": 128, "max_cluster": 4}


def cuvier(*words, codes=(0,)):
    ended = subprocess.run([CUVIER, *words], capture_output=True, text=True)
    assert ended.returncode in codes, f"{words}: {ended.returncode}: {ended.stdout} {ended.stderr}"
    return ended.stdout


def lines(path):
    return path.read_text().count("\n") if path.exists() else 0


def make_dies(folder):
    """A script for each GPU of each node: what exec: starts there."""
    for number in range(2 * NODES):
        place = f"n{number // 2 + 1}-{number % 2}"
        device = folder / f"{place}.json"
        device.write_text(json.dumps({**LIMITS, "gpc_of_sm": MAPS[MAP_OF[number]]}))
        mechanism = "selection=first_fit" if number == OTHER else "algorithm-1"
        (folder / f"{place}.sh").write_text(
            f"exec {DIE} {device} {mechanism} GPU-{number} {folder}/asked-{number} {20 if number == NOISY else 0}\n")


def recorded(fleet, number):
    """Answers in the journals of a GPU; those that its probes gave to its inference count once."""
    folder = fleet / "gpus" / f"GPU-{number}"
    return {journal.parent.name: journal.read_text().count('"type":"recording"')
            for journal in folder.glob("*/journal.jsonl")}


def drill(slurm, folder):
    make_dies(folder)
    fleet = folder / "fleet"
    oracle = f"exec:sh {folder}/$SLURMD_NODENAME-$SLURM_JOB_GPUS.sh"
    submit = ("fleet", "submit", "--out", str(fleet), "--oracle", oracle, "--partition", "gpu", "--time", "10")
    subprocess.run(["scontrol", "update", "NodeName=n2", "State=drain", "Reason=test"], check=True)
    begun = time.monotonic()
    print(cuvier(*submit), end="")

    # The task of the first GPU is killed in the middle of its inference; its job goes back into the queue.
    first = fleet / "gpus"
    slurm.wait(lambda: any(lines(j) > 20 for j in first.glob("*/inference/journal.jsonl")), "the first task", 60)
    journal = next(first.glob("*/inference/journal.jsonl"))
    number = int(journal.parts[-3].removeprefix("GPU-"))
    task = subprocess.run(["pgrep", "-f", f"fleet.task.{fleet}"], capture_output=True, text=True).stdout.split()
    for pid in task:
        subprocess.run(["kill", "-KILL", pid], check=True)
    job = json.loads((fleet / "fleet.json").read_text())["jobs"][0]
    before = journal.read_text()
    status = json.loads(cuvier("fleet", "status", str(fleet), "--json", codes=(10,)))
    print(f"killed {len(task)} processes of job {job} after {lines(journal)} lines; {status}")
    return fleet, number, before, begun, submit


def check(slurm, folder):
    fleet, number, before, begun, submit = drill(slurm, folder)
    done = lambda: sum(json.loads(p.read_text())["stage"] == "done" for p in fleet.glob("gpus/*/gpu.json"))
    # n1's slurmd dies under the tasks of its array, and comes back.
    slurm.wait(lambda: done() >= 1 or any("gpus" and lines(p) for p in fleet.glob("logs/*_[12].out")), "the array", 60)
    slurm.kill_slurmd("n1")
    time.sleep(1)
    slurm.slurmd("n1")
    subprocess.run(["scontrol", "update", "NodeName=n2", "State=resume"], check=True)
    slurm.wait(lambda: not slurm.queue(), "the queue to be empty", 240)
    if done() < 2 * NODES:
        print(cuvier("fleet", "status", str(fleet), codes=(10,)))
        print(cuvier(*submit), end="")
        slurm.wait(lambda: not slurm.queue(), "the queue to be empty", 240)
    print(f"all done after {time.monotonic() - begun:.1f} s")
    print(cuvier("fleet", "status", str(fleet)))

    journal = fleet / "gpus" / f"GPU-{number}" / "inference" / "journal.jsonl"
    assert journal.read_text().startswith(before), "the killed task's answers are lost"
    for gpu in range(2 * NODES):
        counts = recorded(fleet, gpu)
        print(gpu, counts, "asked", lines(folder / f"asked-{gpu}"))
    report = json.loads(cuvier("fleet", "report", str(fleet), "--json"))
    print(cuvier("fleet", "report", str(fleet)))
    mechanisms = {tuple(each["gpus"]) for each in report["mechanisms"]}
    all_gpus = [f"GPU-{i}" for i in range(2 * NODES)]
    assert mechanisms == {(f"GPU-{OTHER}",), tuple(g for g in all_gpus if g != f"GPU-{OTHER}")}, mechanisms
    assert [each["result"] for each in report["differences"]] == ["different"], report["differences"]
    assert len(report["maps"]) == len(set(MAP_OF[:2 * NODES])), report["maps"]
    assert {gpu for odd in report["odd"] if "repeat" in odd["what"] for gpu in odd["gpus"]} == {f"GPU-{NOISY}"}
    assert not report["unreached"] and not report["unfinished"] and not report["unexplained"]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "slurm").mkdir()
    folder.chmod(0o755)
    try:
        slurm = Slurm(folder / "slurm", NODES, 2)
    except (RuntimeError, OSError, subprocess.CalledProcessError) as why:
        print(f"skipped: Slurm cannot be started here: {why}")
        sys.exit(77)
    try:
        check(slurm, folder)
    finally:
        slurm.stop()
