#!/usr/bin/env python3
"""An eighteenth sample of black boxes, by somebody who did not know how cuvier asks: a third easy, a third medium, a
third narrow. Twenty are a T4 and three an RTX 3090, each foreign.py's Algorithm 1 but for one thing, and five the small
H200 of hopper_foreign.py but for one thing. Run as foreign.py is:

    sample_18.py                                lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_18.py sum_of_eighths' --out DIR
"""
from collections import Counter

from foreign import *
from sample_14 import T4, Rtx3090
from sample_07 import Actions
from sample_12 import warps_on
from hopper_foreign import *


class Measured:
    """Has a box say anew what a block of a kernel takes, before anything is asked of it."""

    def join(self):
        for k in self.launched:
            self.measure(k)
        super().join()


# ---- easy

class sum_of_eighths(T4, Gpu):
    """What an SM holds of warps, registers and block slots is counted in eighths of what it has, each rounded down. The
    SM with the smallest sum gets the block. Formula: selection=warps / 4 + held_registers / 8192 + blocks / 2."""

    def key(self, sm, k):
        held = DEV['registers_per_sm'] - sum(sm.regs)
        return (warps_on(sm) // 4 + held // 8192 + len(sm.blocks) // 2, self.order[sm.n])


class leaps_of_seven(T4, Gpu):
    """A cursor goes seven SMs on with each block, in the order of ties, and the first SM from there on that can take
    the block gets it. An idle device begins with the seventh SM. Formula: selection=(turn - 6) mod sms."""

    def choose(self, fit, k):
        if self.idle():
            self.at = -1
        sm = min(fit, key=lambda sm: (self.rank(sm) - self.at - 7) % DEV['sms'])
        self.at = self.rank(sm)
        return sm


class columns_of_eight(T4, Gpu):
    """The SMs stand in five rows of eight. Ties go down the columns, one after the other.
    Formula: tie_break=(sm mod 8, sm)."""

    def setup(self):
        self.order = {sm: (sm % 8, sm) for sm in self.order}


class tops_up_to_threes(T4, Gpu):
    """A pick places as many blocks as bring the SM to the next multiple of three blocks.
    Formula: batch_size=3 - resident mod 3."""

    def choose(self, fit, k):
        sm = Gpu.choose(self, fit, k)
        self.more = 3 - len(sm.blocks) % 3
        return sm

    def batch(self, k):
        return self.more


class warps_0_2_1_3(T4, Gpu):
    """From the pointer on, the second warp goes two subpartitions further and the third one only one; so do all fours
    behind them. Formula: warp_placement=p + (i mod 4 == 1 ? 2 : i mod 4 == 2 ? 1 : i)."""

    def sub(self, sm, k, i):
        return (sm.p + (0, 2, 1, 3)[i % 4]) % 4


class narrow_blocks_hold_eight_more(Measured, T4, Gpu):
    """In blocks of up to four warps each thread holds eight registers more.
    Formula: register_granularity=(registers * 32 + 255) / 256 * 256 + (w <= 4 ? 256 : 0)."""

    def measure(self, k):
        k.rw = up(k.registers * 32, 256) + (256 if k.w <= 4 else 0)


class room_for_three_blocks(Rtx3090, Gpu):
    """A carve-out is made for three blocks at most. Formula: config_occupancy=min(blocks, 4 * min(slots,
    file / warp_registers) / w, in_space, 3)."""

    def occ(self, k):
        return min(Gpu.occ(self, k), 3)


class wide_gpcs_first_in_a_pass(HopperGpu):
    """A pass of clusters goes through the GPCs of several TPCs first, and through the lone ones then. No formula."""

    def pass_order(self, k):
        return WIDE + LONE


class every_lone_tpc_has_its_own_turn(HopperGpu):
    """A lone TPC is a group of its own when places are given out, not two of them together. No formula."""

    def groups(self, lone):
        return [[gpc] for gpc in (LONE if lone else WIDE)]


# ---- medium

class each_wave_begins_a_tpc_further(T4, Gpu):
    """With each 40 blocks of a kernel that have a place, the order of ties begins one place further on.
    Formula: selection=(-room, (rank - placed / sms) mod sms)."""

    def key(self, sm, k):
        return (-self.room(sm, k), (self.rank(sm) - k.placed // DEV['sms']) % DEV['sms'])


class wide_blocks_leave_the_pointer(T4, Gpu):
    """Blocks of eight warps and more do not move the warp pointer.
    Formula: pointer_skip=w >= 8 ? p : next + (w mod 4 == 0 ? 1 : 0)."""

    def move(self, sm, k):
        if k.w < 8:
            Gpu.move(self, sm, k)


class reserve_grows_with_warps(Measured, T4, Gpu):
    """The runtime takes 64 bytes more of shared memory for each warp of a block.
    Formula: runtime_shared=1024 + 64 * w."""

    def measure(self, k):
        k.s = up(k.shared, 128) + 1024 + 64 * k.w


class one_doubling_on_the_fly(T4, Gpu):
    """On a device that is not idle local memory grows all the same, but no further than to twice of what it is.
    Formula: local_memory=local > 2 * grown."""

    def local_waits(self, k):
        if not self.idle() and k.local > 2 * self.local:
            return True
        self.local = max(self.local, k.local)
        return False


class successor_jumps_the_queue(T4, Gpu):
    """A kernel that could not join the queue when it was launched, goes ahead of the others of its priority once it
    joins; of several such the first that joined. No formula (priority reads nothing of streams)."""

    def join(self):
        Gpu.join(self)
        for k in self.launched:
            k.late = k.joined is None or getattr(k, 'late', False)

    def queue_key(self, k):
        return (k.priority, not k.late, k.joined)


class one_connection_for_each_priority(T4, Gpu):
    """Kernels of one priority are launched through the same connection: one of them that waits for its stream has
    those wait that were launched behind it. Formula: connection=priority."""

    def join(self):
        for i, k in enumerate(self.launched):
            before = self.launched[:i]
            held = any(e.joined is None and e.priority == k.priority for e in before)
            behind = any(e.stream == k.stream and e.is_incomplete() for e in before)
            running = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched)
            if k.joined is None and not held and not behind and running < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins


class upper_slots_for_narrow_blocks(T4, Gpu):
    """An SM of six blocks takes only blocks of one or two warps.
    Formula: admission=blocks < 6 or w <= 2."""

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (len(sm.blocks) < 6 or k.w <= 2)


class greedy_when_half_full(T4, Gpu):
    """On an SM of more than 16 warps each warp of another block goes where most warp slots are free, of those
    subpartitions that have registers for it, and of equals to the lowest. No formula (warp_placement does not know how
    full the SM is)."""

    def warps_fit(self, sm, k):
        return k.w <= sum(sm.warps) and Gpu.warps_fit(self, sm, k)

    def layout(self, sm, k):
        free, room, subs = (list(sm.warps), self.c(sm, k), [])
        for _ in range(k.w):
            q = max(range(4), key=lambda q: (room[q] > 0, free[q], -q))
            free[q] -= 1
            room[q] -= 1
            subs.append(q)
        return subs

    def sub(self, sm, k, i):
        return self.layout(sm, k)[i] if warps_on(sm) > 16 else Gpu.sub(self, sm, k, i)


class gate_for_large_blocks_only(Rtx3090, Gpu):
    """Only blocks of more than 16 KiB are refused where the carve-out is smaller than what they prefer.
    Formula: config_gate=bytes <= 16384 or preferred <= current."""

    def gate(self, sm, k):
        return k.shared <= 16384 or Gpu.gate(self, sm, k)


class never_across_16_kib(Rtx3090, Gpu):
    """A block of up to 16 KiB does not lie across a multiple of 16 KiB of the shared memory: it begins at the multiple
    instead. Room does not know of it. No formula (shared_placement only says which interval)."""

    def spots(self, sm, k, config):
        for a, b in self.gaps(sm, config):
            if k.s <= 16384 and a // 16384 < (a + k.s - 1) // 16384:
                a = up(a, 16384)
            if b - a >= k.s:
                yield a

    def shared_fit(self, sm, k):
        return self.gate(sm, k) and any(True for a in self.spots(sm, k, self.config(sm, k)))

    def interval(self, sm, k):
        return next(self.spots(sm, k, sm.config))


class clusters_of_one_kernel_in_a_cpc(HopperGpu):
    """Two TPCs of a GPC, as they come, are a CPC; an odd one is one alone. The blocks of clusters that a CPC holds are
    all of one kernel. No formula."""

    def slot_free(self, sm, k):
        if not HopperGpu.slot_free(self, sm, k):
            return False
        if not self.size(k):
            return True
        ours = self.of[GPC[sm.n]]
        first = ours.index(sm.n) // 4 * 4
        return all(b[0] is k or not self.size(b[0]) for n in ours[first:first + 4] for b in self.sms[n].blocks)


# ---- narrow

class pairs_for_grids_of_64s(T4, Gpu):
    """A pick places two blocks if the grid is a multiple of 64 blocks. Formula: dispatch_batch=blocks mod 64 == 0."""

    def batch(self, k):
        return 2 if k.blocks % 64 == 0 else 1


class heavy_in_both_two_on_an_sm(T4, Gpu):
    """A block of more than 96 registers and more than 12 KiB goes to no SM that has two blocks already; either alone
    does not matter. Formula: admission=registers <= 96 or bytes <= 12288 or blocks < 2."""

    def slot_free(self, sm, k):
        heavy = k.registers > 96 and k.shared > 12288
        return Gpu.slot_free(self, sm, k) and (not heavy or len(sm.blocks) < 2)


class double_exit_resets_the_pointer(Actions, T4, Gpu):
    """Where two blocks or more leave an SM in one release, its warp pointer returns to 0, also if others stay.
    No formula (pointer_reset does not count exits)."""

    def setup(self):
        self.exits = Counter()

    def action(self):
        self.exits.clear()

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        self.exits[sm.n] += 1
        if self.exits[sm.n] >= 2:
            sm.p = 0


class last_sm_of_a_kernel_flushes(Actions, T4, Gpu):
    """The SM that a kernel's very last block left writes its cache back, and takes no block until the next launch or
    release. Of blocks that leave together the one of the highest number leaves last. No formula."""

    def setup(self):
        self.flushing, self.begins = (set(), True)  # the SMs; whether the next exit is the first of a release

    def action(self):
        if self.begins:     # a launch, or a release of nothing
            self.flushing = set()
        self.begins = True

    def free(self, k, b):
        if self.begins:
            self.flushing, self.begins = (set(), False)
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if not k.is_incomplete():
            self.flushing.add(sm.n)

    def ended(self):
        Actions.ended(self)
        self.flushing, self.begins = (set(), True)

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and sm.n not in self.flushing


class one_slab_per_subpartition(T4, Gpu):
    """Registers of a subpartition have addresses, and the warps that a block has there need one free interval together.
    It gets the lowest. Room counts what is free in all. No formula (register_layout takes none)."""

    def setup(self):
        self.slabs = {sm.n: ([], [], [], []) for sm in self.sms}
        self.held = {}

    def slab(self, sm, q, size):
        at = 0
        for a, b in sorted(self.slabs[sm.n][q]) + [(DEV['registers_per_sm'] // 4, 0)]:
            if a - at >= size:
                return (at, at + size)
            at = b
        return None

    def wanted(self, sm, k):
        need = Counter(self.sub(sm, k, i) for i in range(k.w))
        return {q: self.slab(sm, q, n * k.rw) for q, n in need.items()}

    def warps_fit(self, sm, k):
        return Gpu.warps_fit(self, sm, k) and all(self.wanted(sm, k).values())

    def place(self, sm, k):
        got = self.wanted(sm, k)
        for q, slab in got.items():
            self.slabs[sm.n][q].append(slab)
        self.held[k, k.placed] = got
        Gpu.place(self, sm, k)

    def free(self, k, b):
        for q, slab in self.held.pop((k, b)).items():
            self.slabs[k.resident[b][0].n][q].remove(slab)
        Gpu.free(self, k, b)


class switches_at_multiples_of_eight(T4, Gpu):
    """A kernel is passed by a more urgent one only when the number of its blocks that have a place is a multiple of
    eight. Formula: priority=(placed mod 8 == 0 ? 1 : 0, priority)."""

    def queue_key(self, k):
        return (k.placed % 8 == 0, k.priority, k.joined)


class clusters_target_what_they_prefer(HopperGpu):
    """For kernels in clusters an idle SM takes the carve-out that they prefer, not one for twice the blocks.
    No formula (config_target does not know of clusters)."""

    def target(self, k):
        return self.preferred(k) if self.size(k) else HopperGpu.target(self, k)


class large_shared_clusters_off_lone_tpcs(HopperGpu):
    """A cluster whose blocks take more than 32 KiB of shared memory does not go to a lone TPC.
    Formula: admission=cluster == 0 or bytes <= 32768 or sms_of_gpc > 2."""

    def slot_free(self, sm, k):
        barred = self.size(k) and k.shared > 32768 and GPC[sm.n] in LONE
        return HopperGpu.slot_free(self, sm, k) and not barred


if __name__ == '__main__':
    main(__name__)
