#!/usr/bin/env python3
"""The least that is an oracle (oracle-protocol.md): copy it, and put your simulator in Gpu."""
import json
import sys

LIMITS = {"sms": 8, "sms_per_tpc": 1, "subpartitions": 4, "max_blocks_per_sm": 16, "max_warps_per_sm": 48,
          "max_threads_per_block": 1024, "max_registers_per_thread": 255, "registers_per_sm": 65536,
          "shared_configs": [102400], "max_shared_per_block": 101376, "max_resident_kernels": 128}


class Gpu:
    """Round robin over the SMs, by what an SM has in all. Made once: what is here outlives a probe."""
    cursor = 0

    def run(self, kernels, script):
        need = {name: (1, -(-k["threads"] // 32), -(-k["threads"] // 32) * -(-k["registers"] // 8) * 256,
                       -(-k.get("shared", 0) // 128) * 128) for name, k in kernels.items()}
        free = [[16, 48, 65536, 102400] for _ in range(LIMITS["sms"])]
        launched, queue, placed, resident = [], [], dict.fromkeys(kernels, 0), {name: {} for name in kernels}
        for action in script:
            for what in action.get("release", []):
                name, blocks = (what, None) if isinstance(what, str) else (what["kernel"], what["blocks"])
                for block in [b for b in resident[name] if blocks is None or b in blocks]:
                    sm = resident[name].pop(block)
                    free[sm] = [have + gets for have, gets in zip(free[sm], need[name])]
            launched += [action["launch"]] if "launch" in action else []
            runs = [k for k in launched if placed[k] < kernels[k]["blocks"] or resident[k]]
            stream = {k: kernels[k].get("stream", k + " alone") for k in kernels}
            started = {}
            for joining in ([], runs):  # what waits goes on before others join
                queue += [k for i, k in enumerate(joining) if k not in queue and placed[k] == 0
                          and all(stream[k] != stream[earlier] for earlier in runs[:i])]
                queue.sort(key=lambda k: kernels[k].get("priority", 0))
                while queue:  # the first waits: so do those behind it
                    fits = [sm % len(free) for sm in range(self.cursor, self.cursor + len(free))
                            if all(have >= n for have, n in zip(free[sm % len(free)], need[queue[0]]))]
                    if not fits:
                        break
                    name, sm, self.cursor = queue[0], fits[0], fits[0] + 1
                    free[sm] = [have - n for have, n in zip(free[sm], need[name])]
                    seen = started.setdefault(name, {"block": [], "sm": []})
                    seen["block"].append(placed[name])
                    seen["sm"].append(sm)
                    resident[name][placed[name]] = sm
                    placed[name] += 1
                    queue = queue if placed[name] < kernels[name]["blocks"] else queue[1:]
            yield {"started": started}


gpu = Gpu()
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"type": "error", "id": asked.get("id"), "code": "invalid_probe", "message": "over a limit"}
    if asked["type"] == "bye":
        break
    if asked["type"] == "hello":
        gpu = Gpu()  # a session: nothing is left of what ran before
        answer = {"type": "device", "protocol": 1, "oracle": {"name": "minimal", "version": "1"}, "channels": ["sm"],
                  "device": {"name": "eight SMs", "architecture": "sm_86", **LIMITS}}
    elif all(k["threads"] <= LIMITS["max_threads_per_block"] for k in asked["probe"]["kernels"].values()):
        runs = [{"steps": list(gpu.run(asked["probe"]["kernels"], asked["probe"]["script"]))}
                for _ in range(asked["repeat"])]
        answer = {"type": "observation", "id": asked["id"], "runs": runs}
    print(json.dumps(answer), flush=True)
