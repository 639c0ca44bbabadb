"""A simulator that others wrote as an oracle (oracle-protocol.md), by a program, FRONT, that reads and
writes the lines of accel-sim/front.cpp."""
import concurrent.futures
import json
import os
import subprocess
import sys
import traceback


class Lost(Exception):
    """The simulator ended by itself."""


class Gpu:
    """A simulator that runs: a session."""

    def __init__(self, command, most_kernels):
        self.front = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16)
        self.launched, self.most_kernels = 0, most_kernels

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
                if stream[name] not in busy and len(running) < self.most_kernels:
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


def serve(name, command, device, refused):
    """Answers requests: of several sessions at once, each of a simulator of its own. `refused`: the code and the words of
    why a kernel cannot be run, or nothing."""
    gpus = {}

    def answer(asked):
        session = asked.get("session", 0)
        if asked["type"] == "hello":
            if session in gpus:
                gpus[session].close()
            gpus[session] = Gpu(command, device["max_resident_kernels"])
            return {"type": "device", "protocol": 1, "oracle": {"name": name, "version": "unknown"}, "channels": ["sm"],
                    "sessions": os.cpu_count(), "device": device}
        if reasons := list(filter(None, map(refused, asked["probe"]["kernels"].values()))):
            return {"type": "error", "id": asked["id"], "code": reasons[0][0], "message": reasons[0][1]}
        try:
            runs = [{"steps": list(gpus[session].run(asked["probe"]["kernels"], asked["probe"]["script"]))}
                    for _ in range(asked["repeat"])]
            return {"type": "observation", "id": asked["id"], "runs": runs}
        except Lost:  # see black-boxes.md: it ends by itself
            return {"type": "error", "id": asked["id"], "code": "unsupported", "message": "the simulator ended", "ran": True}

    def tell(asked):
        try:
            print(json.dumps(answer(asked) | {"session": asked.get("session", 0)}) + "\n", end="", flush=True)
        except Exception:
            traceback.print_exc()
            os._exit(1)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for request in sys.stdin:
            asked = json.loads(request)
            if asked["type"] == "bye":
                break
            workers.submit(tell, asked)
    for gpu in gpus.values():
        gpu.close()
