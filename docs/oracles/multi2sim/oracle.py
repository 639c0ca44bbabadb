#!/usr/bin/env python3
"""Multi2Sim's model of an AMD GPU as an oracle (oracle-protocol.md): oracle.py FRONT

FRONT is front.cpp beside this file, linked with Multi2Sim's sources. AMD's words: a block is a work-group,
an SM a compute unit, a subpartition a wavefront pool; a wavefront has 64 threads, two warps of ours."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import front

POOLS, WAVEFRONTS, REGISTERS, BYTES = 4, 10, 65536, 65536  # of a compute unit; the rest is what a pool has
LIMITS = {"name": "Multi2Sim Southern Islands", "architecture": "sm_86", "sms": 32, "sms_per_tpc": 1,
          "subpartitions": POOLS, "max_blocks_per_sm": POOLS * WAVEFRONTS, "max_warps_per_sm": 2 * POOLS * WAVEFRONTS,
          "max_threads_per_block": 64 * WAVEFRONTS, "max_registers_per_thread": 255,
          "registers_per_sm": POOLS * REGISTERS, "shared_configs": [POOLS * BYTES], "max_shared_per_block": BYTES,
          "max_resident_kernels": 1}


def refused(kernel):
    """What its runtime would refuse: a work-group lies in one wavefront pool."""
    if kernel["threads"] > LIMITS["max_threads_per_block"] or kernel["registers"] * kernel["threads"] > REGISTERS or \
            kernel.get("shared", 0) > BYTES:
        return "invalid_probe", "over a limit"
    return ("unsupported", "no clusters here") if "cluster" in kernel else None


front.serve("Multi2Sim", [sys.argv[1]], LIMITS, refused)
