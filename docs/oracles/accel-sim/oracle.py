#!/usr/bin/env python3
"""Accel-Sim as an oracle (oracle-protocol.md): oracle.py FRONT -config FILE ... [-gpgpu_OPTION VALUE ...]

FRONT is front.cpp beside this file, linked with Accel-Sim in the place of its main program."""
import json
import pathlib
import re
import subprocess
import sys

FRONT, ARGUMENTS = sys.argv[1], sys.argv[2:] + ["-gpgpu_kernel_launch_latency", "0"]


def options(arguments):
    """The simulator's options by name, the last one of a name."""
    found = {}
    for name, value in zip(arguments, arguments[1:]):
        if name == "-config":
            text = re.sub("#.*", "", pathlib.Path(value).read_text(encoding="utf-8"))
            found.update(options(text.split()))
        elif name.startswith("-"):
            found[name.removeprefix("-gpgpu_")] = value
    return found


def device():
    """What its configuration says of the GPU."""
    is_set = options(ARGUMENTS)
    cores = int(is_set["n_cores_per_cluster"])
    return {"name": "Accel-Sim " + next(pathlib.Path(a).parent.name for a in ARGUMENTS if a.endswith("gpgpusim.config")),
            "architecture": "sm_" + is_set["compute_capability_major"] + is_set["compute_capability_minor"],
            "sms": int(is_set["n_clusters"]) * cores, "sms_per_tpc": cores,
            "subpartitions": int(is_set["num_sched_per_core"]), "max_blocks_per_sm": int(is_set["shader_cta"]),
            "max_warps_per_sm": int(is_set["shader_core_pipeline"].split(":")[0]) // 32, "max_threads_per_block": 1024,
            "max_registers_per_thread": 255, "registers_per_sm": int(is_set["shader_registers"]),
            "shared_configs": [int(is_set["shmem_size"])], "max_shared_per_block": int(is_set["shmem_per_block"]),
            "max_resident_kernels": int(is_set["max_concurrent_kernel"])}


class Lost(Exception):
    """The simulator ended by itself."""


class Gpu:
    """A simulator that runs: a session."""

    def __init__(self):
        self.front = subprocess.Popen([FRONT, *ARGUMENTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True, bufsize=1 << 16)
        self.launched = 0

    def close(self):
        self.front.stdin.close()
        self.front.wait()

    def tell(self, *words):
        self.front.stdin.write(" ".join(map(str, words)) + "\n")

    def settle(self):
        """What started (kernel, block, SM) and which kernels ended, by the simulator's own numbers."""
        self.tell("settle")
        try:
            self.front.stdin.flush()
        except BrokenPipeError as error:
            raise Lost from error
        started, done = [], []
        for line in self.front.stdout:
            what, *numbers = line.split()
            if what == "settled":
                return started, done
            (started if what == "start" else done).append(tuple(map(int, numbers)))
        raise Lost

    def run(self, kernels, script):
        """The steps of one probe."""
        waiting, running, resident, left = [], {}, {name: set() for name in kernels}, {}
        stream = {name: kernel.get("stream", name + " alone") for name, kernel in kernels.items()}
        for action in script:
            for what in action.get("release", []):
                name, blocks = (what, resident[what]) if isinstance(what, str) else (what["kernel"], what["blocks"])
                self.let_go(running, resident, name, resident[name] & set(blocks))
            waiting += [action["launch"]] if "launch" in action else []
            yield {"started": self.step(kernels, stream, waiting, running, resident, left)}
        for number, name in running.items():  # blocks that wait are forgotten
            if left[name] > 0:
                self.tell("forget", number)
        for name in list(running.values()):
            self.let_go(running, resident, name, set(resident[name]))
        self.settle()

    def let_go(self, running, resident, name, blocks):
        if blocks:
            number = next(n for n, running_name in running.items() if running_name == name)
            self.tell("release", number, *sorted(blocks))
            resident[name] -= blocks

    def step(self, kernels, stream, waiting, running, resident, left):
        """Launches what its stream lets launch, and sees what starts, until nothing more does."""
        started = {}
        while True:
            for name in list(waiting):
                busy = [stream[other] for other in [*running.values(), *waiting[:waiting.index(name)]]]
                if stream[name] not in busy and len(running) < LIMITS["max_resident_kernels"]:
                    waiting.remove(name)
                    self.launched += 1
                    running[self.launched], left[name] = name, kernels[name]["blocks"]
                    self.tell("launch", self.launched, *(kernels[name].get(need, 0) for need in
                                                         ("blocks", "threads", "registers", "shared")))
            begun, done = self.settle()
            for number, block, sm in begun:
                name = running[number]
                seen = started.setdefault(name, {"block": [], "sm": []})
                seen["block"].append(block)
                seen["sm"].append(sm)
                resident[name].add(block)
                left[name] -= 1
            for number, in done:
                del running[number]
            if not done:
                return started


def refused(kernel):
    """The code and the words of why the simulator cannot run this kernel, or nothing."""
    warps = -(-kernel["threads"] // 32)
    if kernel["threads"] > LIMITS["max_threads_per_block"] or kernel["registers"] > LIMITS["max_registers_per_thread"] or \
            kernel.get("shared", 0) > LIMITS["max_shared_per_block"]:
        return "invalid_probe", "over a limit"
    if warps * 32 * (-(-kernel["registers"] // 4) * 4) > LIMITS["registers_per_sm"]:
        return "invalid_probe", "more registers than an SM has"
    return ("unsupported", "no clusters here") if "cluster" in kernel else None


LIMITS = device()
gpu = None
for request in sys.stdin:
    asked = json.loads(request)
    if asked["type"] in ("hello", "bye") and gpu:
        gpu.close()
    if asked["type"] == "bye":
        break
    if asked["type"] == "hello":
        gpu = Gpu()
        answer = {"type": "device", "protocol": 1, "oracle": {"name": "Accel-Sim", "version": "unknown"},
                  "channels": ["sm"], "device": LIMITS}
    elif reasons := list(filter(None, map(refused, asked["probe"]["kernels"].values()))):
        answer = {"type": "error", "id": asked["id"], "code": reasons[0][0], "message": reasons[0][1]}
    else:
        try:
            runs = [{"steps": list(gpu.run(asked["probe"]["kernels"], asked["probe"]["script"]))}
                    for _ in range(asked["repeat"])]
            answer = {"type": "observation", "id": asked["id"], "runs": runs}
        except Lost:  # see black-boxes.md: it looks for a block's warps past the SM's last one
            answer = {"type": "error", "id": asked["id"], "code": "unsupported", "message": "the simulator ended", "ran": True}
    print(json.dumps(answer), flush=True)
