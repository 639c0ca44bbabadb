#!/usr/bin/env python3
"""Accel-Sim as an oracle (oracle-protocol.md): oracle.py FRONT -config FILE ... [-gpgpu_OPTION VALUE ...]

FRONT is front.cpp beside this file, linked with Accel-Sim in the place of its main program."""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import front

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
front.serve("Accel-Sim", [FRONT, *ARGUMENTS], LIMITS, refused)
