#!/usr/bin/env python3
"""simtbs as an oracle (oracle-protocol.md): oracle.py LIBRARY POLICY [SMS]

LIBRARY is simtbs's own files as one shared library, POLICY one of its policies (rr, rrf, bfa, dfa)."""
import ctypes
import json
import shutil
import sys
import tempfile

LIBRARY, POLICY = sys.argv[1:3]
WARPS = 48
LIMITS = {"name": "simtbs " + POLICY, "architecture": "sm_86", "sms": int(sys.argv[3]) if len(sys.argv) > 3 else 16,
          "sms_per_tpc": 1, "subpartitions": 4, "max_blocks_per_sm": WARPS, "max_warps_per_sm": WARPS,
          "max_threads_per_block": 1024, "max_registers_per_thread": 255, "registers_per_sm": WARPS * 32 * 256,
          "shared_configs": [WARPS * 2048], "max_shared_per_block": 2048, "max_resident_kernels": 128}


class ListHead(ctypes.Structure):
    """An intrusive list."""


ListHead._fields_ = [("next", ctypes.POINTER(ListHead)), ("prev", ctypes.POINTER(ListHead))]


class Kernel(ctypes.Structure):
    """simtbs.h: kernel_t."""
    _fields_ = [(name, ctypes.c_uint) for name in ("no", "type", "ts_enter", "ts_start", "ts_end", "starved", "n_tb", "done")] + [
        ("needs_of_sm", ctypes.c_uint * 12), ("needs_of_memory", ctypes.c_uint * 2), ("duration", ctypes.c_uint),
        ("blocks", ListHead), ("running", ListHead), ("all", ListHead)]


class Sm(ctypes.Structure):
    """simtbs.h: sm_t."""
    _fields_ = [("used", ctypes.c_uint * 12), ("blocks", ListHead), ("list", ListHead)]


class Block(ctypes.Structure):
    """simtbs.h: tb_t."""
    _fields_ = [("kernel", ctypes.POINTER(Kernel)), ("sm", ctypes.POINTER(Sm)), ("work_remained", ctypes.c_float),
                ("type", ctypes.c_uint), ("of_sm", ListHead), ("of_kernel", ListHead)]


def owner(kind, field, node):
    """What a node of a list is in."""
    return kind.from_address(ctypes.addressof(node) - getattr(kind, field).offset)


def each(head, kind, field):
    node = head.next.contents
    while ctypes.addressof(node) != ctypes.addressof(head):
        yield owner(kind, field, node)
        node = node.next.contents


def unlink(node):
    node.prev.contents.next, node.next.contents.prev = node.next, node.prev


class Gpu:
    """A session. Only warps are scarce, and blocks, which slow nobody down here, stay until they are told to leave."""

    def __init__(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as copy:  # its state is in global variables: a copy has its own
            shutil.copyfile(LIBRARY, copy.name)
            self.simtbs = ctypes.CDLL(copy.name)
        self.simtbs.get_first_sm.restype = self.simtbs.get_next_sm.restype = ctypes.POINTER(Sm)
        self.simtbs.get_unscheduled_tb.restype = ctypes.POINTER(Block)
        self.simtbs.insert_overheads_sm.argtypes = [ctypes.c_float, ctypes.POINTER(ctypes.c_float)]
        self.simtbs.setup_sms(LIMITS["sms"], 1, 1, 1, (ctypes.c_uint * 12)(WARPS))
        self.simtbs.setup_mem(0, (ctypes.c_uint * 2)())
        self.simtbs.insert_overheads_sm(1, (ctypes.c_float * 12)(1e-9))
        self.policy = (ctypes.c_void_p * 2).in_dll(self.simtbs, "policy_" + POLICY)  # its name and what it does
        self.schedule = ctypes.CFUNCTYPE(None)(self.policy[1])
        self.time = ctypes.c_uint.in_dll(self.simtbs, "simtime")
        self.all_kernels = None
        self.number_of_sm, sm = {}, self.simtbs.get_first_sm()
        while sm:
            self.number_of_sm[ctypes.addressof(sm.contents)] = len(self.number_of_sm)
            sm = self.simtbs.get_next_sm(sm)

    def tick(self):
        """What its main loop does in one."""
        self.simtbs.check_new_arrived_kernel()
        if self.simtbs.get_unscheduled_tb() and self.simtbs.is_sm_resource_available(None, None):
            self.schedule()
        self.simtbs.run_tbs_on_all_sms()
        self.time.value += 1

    def launched(self, kernel):
        warps = -(-kernel["threads"] // 32)
        self.simtbs.insert_kernel(1, self.time, kernel["blocks"], (ctypes.c_uint * 12)(warps), (ctypes.c_uint * 2)(), 10**9)
        if not self.all_kernels:  # the head of its list of kernels, seen from the first
            self.simtbs.check_new_arrived_kernel()
            self.all_kernels = self.simtbs.get_unscheduled_tb().contents.kernel.contents.all.prev
        return owner(Kernel, "all", self.all_kernels.contents.prev.contents)

    def run(self, kernels, script):
        """The steps of one probe."""
        waiting, running, resident, placed = [], {}, {name: {} for name in kernels}, dict.fromkeys(kernels, 0)
        stream = {name: kernel.get("stream", name + " alone") for name, kernel in kernels.items()}
        for action in script:
            for what in action.get("release", []):
                name, blocks = (what, None) if isinstance(what, str) else (what["kernel"], what["blocks"])
                self.let_go(resident[name], blocks)
            if "release" in action:
                self.end_of_release(kernels, running, resident, placed)
            waiting += [action["launch"]] if "launch" in action else []
            started = {}
            for name in list(waiting):
                busy = [stream[other] for other in [*running, *waiting[:waiting.index(name)]]]
                if stream[name] not in busy and len(running) < LIMITS["max_resident_kernels"]:
                    waiting.remove(name)
                    running[name] = self.launched(kernels[name])
            self.tick()
            for name, kernel in running.items():
                known = {ctypes.addressof(block) for block in resident[name].values()}
                for block in each(kernel.blocks, Block, "of_kernel"):
                    if block.sm and ctypes.addressof(block) not in known:
                        seen = started.setdefault(name, {"block": [], "sm": []})
                        seen["block"].append(placed[name])
                        seen["sm"].append(self.number_of_sm[ctypes.addressof(block.sm.contents)])
                        resident[name][placed[name]] = block
                        placed[name] += 1
            yield {"started": started}
        for name, kernel in running.items():  # blocks that wait are forgotten
            for block in [b for b in each(kernel.blocks, Block, "of_kernel") if not b.sm]:
                unlink(block.of_kernel)
                kernel.n_tb -= 1
            if not resident[name]:
                unlink(kernel.running)
            self.let_go(resident[name], None)
        self.tick()

    def let_go(self, resident, blocks):
        for number in [n for n in resident if blocks is None or n in blocks]:
            resident.pop(number).work_remained = 1e-9

    def end_of_release(self, kernels, running, resident, placed):
        self.tick()
        for name in [n for n in running if placed[n] == kernels[n]["blocks"] and not resident[n]]:
            del running[name]


gpu = None
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "bye":
        break
    if asked["type"] == "hello":
        gpu = Gpu()
        answer = {"type": "device", "protocol": 1, "oracle": {"name": "simtbs", "version": POLICY}, "channels": ["sm"],
                  "device": LIMITS}
    elif any(k["threads"] > 1024 or k.get("shared", 0) > LIMITS["max_shared_per_block"] for k in asked["probe"]["kernels"].values()):
        answer = {"type": "error", "id": asked["id"], "code": "invalid_probe", "message": "over a limit"}
    else:
        runs = [{"steps": list(gpu.run(asked["probe"]["kernels"], asked["probe"]["script"]))}
                for _ in range(asked["repeat"])]
        answer = {"type": "observation", "id": asked["id"], "runs": runs}
    print(json.dumps(answer), flush=True)
