"""A fleet of simulated GPUs under a real Slurm, in which nearly everything dies once.

slurm_test.py CUVIER DIE [NODES]      NODES of two GPUs each, 2 unless given; 77 where Slurm cannot run
"""

import json
import os
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
# So little is open that an inference takes a moment.
ASSUMED = ["--assume", "algorithm-1,selection=first_fit"] if NODES == 2 else []
LIMITS = {
    "name": "a small GPU", "architecture": "sm_90", "sms": 12, "sms_per_tpc": 2, "subpartitions": 4,
    "max_blocks_per_sm": 16, "max_warps_per_sm": 48, "max_threads_per_block": 1024,
    "max_registers_per_thread": 255, "registers_per_sm": 65536, "shared_configs": [0, 8192, 102400],
    "max_shared_per_block": 101376, "max_resident_kernels": 128, "max_cluster": 4}


def cuvier(*words, codes=(0,)):
    ended = subprocess.run([CUVIER, *words], capture_output=True, text=True)
    assert ended.returncode in codes, f"{words}: {ended.returncode}: {ended.stdout} {ended.stderr}"
    return ended.stdout


def scontrol(*words):
    subprocess.run(["scontrol", *words], check=True)


def recorded_of(folder):
    return (folder / "journal.jsonl").read_text().count('"type":"recording"')


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


class Fleet:
    def __init__(self, slurm, folder):
        make_dies(folder)
        self.slurm, self.folder, self.out = slurm, folder, folder / "fleet"

    def submit(self):
        oracle = f"exec:sh {self.folder}/$SLURMD_NODENAME-$SLURM_JOB_GPUS.sh"
        print(cuvier("fleet", "submit", "--out", str(self.out), "--oracle", oracle, "--time", "10", *ASSUMED), end="")

    def gpus(self):
        return [json.loads(file.read_text()) for file in self.out.glob("gpus/*/gpu.json")]

    def done(self):
        return sum(gpu["stage"] == "done" for gpu in self.gpus())

    def at_work(self, node):
        return [job for job, state, where in self.slurm.queue() if (state, where) == ("RUNNING", node)]

    def wait_for_end(self):
        def is_over():
            self.slurm.hurry()
            return not self.slurm.queue()
        self.slurm.wait(is_over, "the queue to be empty", 240)


def drill(slurm, fleet):
    """Returns how many answers may be lost: one of each task that was killed."""
    scontrol("update", "NodeName=n2", "State=drain", "Reason=test")
    fleet.submit()

    # The first task is killed in the middle of its inference.
    slurm.wait(lambda: any(lines(file) > 20 for file in fleet.out.glob("gpus/*/inference/journal.jsonl")),
               "the first task", 60)
    [journal] = fleet.out.glob("gpus/*/inference/journal.jsonl")
    at_work = subprocess.run(["pgrep", "-f", f"cuvier.fleet.task.{fleet.out}"], capture_output=True, text=True)
    assert at_work.stdout, "no task is at work"
    for pid in at_work.stdout.split():
        os.kill(int(pid), signal.SIGKILL)
    before = journal.read_text()
    print(f"killed the task of {journal.parts[-3]} after {lines(journal)} lines")
    def goes_on():
        slurm.hurry()
        return lines(journal) > before.count("\n") + 1
    slurm.wait(goes_on, "the killed task to go on", 60)
    assert journal.read_text().startswith(before), "answers of the killed task are lost"

    # The slurmd of a node is killed under its tasks.
    first = "1"  # Slurm may call its job running for a moment once its GPU is done
    slurm.wait(lambda: fleet.done() == 1 and set(fleet.at_work("n1")) - {first}, "the array", 60)
    slurm.kill_slurmd("n1")
    status = json.loads(cuvier("fleet", "status", str(fleet.out), "--json", codes=(10,)))
    assert status["done"] < status["gpus"] == 2 * NODES, status
    print(status["waiting"])
    time.sleep(1)
    slurm.slurmd("n1")

    # Another is drained no longer, and a task of it is requeued.
    scontrol("update", "NodeName=n2", "State=resume")
    slurm.wait(lambda: fleet.at_work("n2"), "n2", 60)
    scontrol("requeue", fleet.at_work("n2")[-1])
    fleet.wait_for_end()

    # What Slurm lost on the way is submitted again.
    for _ in range(3):
        if fleet.done() < 2 * NODES:
            fleet.submit()
            fleet.wait_for_end()
    return 4


def check(fleet, lost):
    print(cuvier("fleet", "status", str(fleet.out)), end="")
    asked = sum(lines(fleet.folder / f"asked-{number}") for number in range(2 * NODES))
    recorded = sum(file.read_text().count('"type":"recording"') for file in fleet.out.glob("gpus/*/*/journal.jsonl"))
    told_twice = recorded_of(fleet.out / "gpus" / f"GPU-{OTHER}" / "probes")  # to the inference, too, each once
    print(f"{asked} runs of probes, {recorded} recordings")
    assert recorded <= asked + told_twice and asked <= recorded + lost, "answers are lost"
    report = json.loads(cuvier("fleet", "report", str(fleet.out), "--json"))
    print(cuvier("fleet", "report", str(fleet.out)))
    assert [sorted(each["gpus"]) for each in report["mechanisms"]] == [
        [f"GPU-{i}" for i in range(2 * NODES) if i != OTHER], [f"GPU-{OTHER}"]], report["mechanisms"]
    assert [each["result"] for each in report["differences"]] == ["different"], report["differences"]
    assert len(report["maps"]) == len(set(MAP_OF[:2 * NODES])), report["maps"]
    assert [each["gpus"] for each in report["odd"] if "repeat" in each["what"]] == [[f"GPU-{NOISY}"]], report["odd"]
    assert not report["unreached"] and not report["unfinished"] and not report["unexplained"], report


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
        begun = time.monotonic()
        fleet = Fleet(slurm, folder)
        lost = drill(slurm, fleet)
        print(f"all done after {time.monotonic() - begun:.1f} s")
        check(fleet, lost)
    finally:
        slurm.stop()
