#!/usr/bin/env python3
"""A tenth sample of black boxes by somebody who did not know what a formula can say, nor how cuvier asks: Algorithm 1
but for one thing. Eight are simple, eight are of narrow circumstances, eight remember. Run as foreign.py:

    sample_10.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_10.py runner_up_gets_it' --out DIR
"""
from foreign import *

LARGEST = DEV['shared_configs'][-1]
FILE = DEV['registers_per_sm'] // 4


# Simple

class runner_up_gets_it(Gpu):
    """The second-best SM by room and order gets the block, where more than one can have it."""

    def choose(self, fit, k):
        return sorted(fit, key=lambda sm: self.key(sm, k))[:2][-1]


class one_block_each_per_round(Gpu):
    """For a kernel the SMs that can have its block are sorted by room and order once; each gets one block in that
    order, if it still fits there, and only then are they sorted anew."""

    def choose(self, fit, k):
        k.round = [sm for sm in getattr(k, 'round', []) if sm in fit] or sorted(fit, key=lambda sm: self.key(sm, k))
        return k.round.pop(0)


class eights_in_bit_reversed_order(Gpu):
    """Of every eight blocks of a grid the order is 0, 4, 2, 6, 1, 5, 3, 7 (of fewer at its end as ever)."""

    def place(self, sm, k):
        at = k.placed
        if at // 8 < k.blocks // 8:
            k.placed = at - at % 8 + (0, 4, 2, 6, 1, 5, 3, 7)[at % 8]
        Gpu.place(self, sm, k)
        k.placed = at + 1

    def run(self, kernels, script):
        steps = Gpu.run(self, kernels, script)
        for step in steps:
            for told in step['started'].values():
                told['block'], told['sm'] = map(list, zip(*sorted(zip(told['block'], told['sm']))))
        return steps


class queue_is_an_elevator(Gpu):
    """Of one priority the kernel is tried whose blocks have the next number of warps at or above that of the latest
    block placed, and behind the widest the narrowest again (from 0 on an idle device)."""
    at = 0

    def queue_key(self, k):
        return (k.priority, (k.w - self.at) % 33, k.joined)

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.at = k.w

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.at = 0


class runtime_kib_once_per_sm(Gpu):
    """The 1 KiB that the runtime reserves is the first of each SM's shared memory, and not taken by each block (room
    and the preferred configuration know it)."""

    def join(self):
        for k in self.launched:
            k.s = up(k.shared, 128)
        Gpu.join(self)

    def preferred(self, k):
        most = min(Gpu.occ(self, k), (LARGEST - 1024) // k.s) if k.s else 0
        return next(c for c in DEV['shared_configs'] if c >= most * k.s + 1024)

    def gaps(self, sm, config):
        return [(max(a, 1024), b) for a, b in Gpu.gaps(self, sm, config) if b > 1024]

    def shared_fit(self, sm, k):
        return Gpu.shared_fit(self, sm, k) if k.s else self.gate(sm, k)


class registers_in_pages_per_subpartition(Gpu):
    """In each subpartition the registers of a block's warps are rounded up together, to a multiple of 1,024 (room and
    the preferred configuration do not know it)."""

    def take(self, sm, k, subs, sign):
        for q in set(subs):
            sm.regs[q] += sign * (-subs.count(q) * k.rw % 1024)

    def warps_fit(self, sm, k):
        subs = [self.sub(sm, k, i) for i in range(k.w)]
        return Gpu.warps_fit(self, sm, k) and all(up(subs.count(q) * k.rw, 1024) <= sm.regs[q] for q in subs)

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.take(sm, k, k.resident[k.placed - 1][1], -1)

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        Gpu.free(self, k, b)
        self.take(sm, k, subs, 1)


class six_tpcs_of_the_largest_carveout(Gpu):
    """While six TPCs that are not idle have the largest configuration, an idle one takes no block that prefers it."""

    def gate(self, sm, k):
        if self.domain_idle(sm) and self.preferred(k) == LARGEST:
            return len({self.tpc[s.n] for s in self.sms if s.blocks and s.config == LARGEST}) < 6
        return Gpu.gate(self, sm, k)


class half_rows_are_aligned(Gpu):
    """A block of 2, 6, 10, ... warps begins at an even subpartition: an odd pointer goes on by one before it (room
    does not know it)."""

    def begin(self, sm, k):
        return sm.p + (sm.p % 2 if k.w % 4 == 2 else 0)

    def sub(self, sm, k, i):
        return (self.begin(sm, k) + i) % 4

    def move(self, sm, k):
        sm.p = (self.begin(sm, k) + k.w + self.skip(sm, k)) % 4


# In narrow circumstances

class spares_the_next_kernel(Gpu):
    """While another kernel waits behind the head, the SMs' rooms are counted for a block of that one."""

    def key(self, sm, k):
        behind = [e for e in self.queue() if e is not k]
        return (-self.room(sm, behind[0] if behind else k), self.order[sm.n])


class priority_is_inherited(Gpu):
    """A kernel is as urgent as the most urgent one that has been launched behind it in its stream."""

    def queue_key(self, k):
        return (min(e.priority for e in self.launched if e.stream == k.stream and e.is_incomplete()), k.joined)


class who_grows_local_runs_alone(Gpu):
    """A kernel for which the idle device's local-memory configuration grew has the device to itself: others wait
    as long as any of its blocks is resident."""
    grower = None

    def local_waits(self, k):
        if self.idle():
            self.grower = k if k.local > self.local else None
        elif self.grower not in (None, k) and self.grower.resident:
            return True
        return Gpu.local_waits(self, k)


class last_three_in_one_pick(Gpu):
    """The last three blocks of a grid of more than two for each SM are one pick, as far as they fit on that SM, while
    blocks of another kernel are resident."""

    def batch(self, k):
        others = any(e is not k and e.resident for e in self.kernels)
        return 3 if others and k.blocks - k.placed == 3 and k.blocks > 2 * DEV['sms'] else 1


class exact_hole_is_taken_first(Gpu):
    """A free interval of shared memory of just the block's size is taken before lower ones that are larger."""

    def interval(self, sm, k):
        exact = [a for a, b in self.gaps(sm, sm.config) if b - a == k.s]
        return exact[0] if exact else Gpu.interval(self, sm, k)


class coarser_registers_above_128(Gpu):
    """More than 128 registers a thread are rounded up to a multiple of 32, not of 8, where an idle SM can hold the
    block so."""

    def join(self):
        for k in self.launched:
            coarse = up(k.registers, 32) * 32
            if k.registers > 128 and up(k.w, 4) // 4 * coarse <= FILE:
                k.rw = coarse
        Gpu.join(self)


class partial_warp_moves_no_pointer(Gpu):
    """A block's last warp does not count for the warp pointer's step if it has fewer than 32 threads."""

    def move(self, sm, k):
        sm.p = (sm.p + k.threads // 32 + self.skip(sm, k)) % 4


class last_slot_for_kin(Gpu):
    """An SM's last free block slot is given only to a kernel that has a block there."""

    def slot_free(self, sm, k):
        return sm.slots > 1 or sm.slots == 1 and any(b[0] is k for b in sm.blocks)


# With a memory

class begins_where_it_ended(Gpu):
    """The first block on an idle device goes to the SM that was given the latest block before (in the session)."""
    latest = None

    def choose(self, fit, k):
        again = self.latest is not None and self.idle()
        self.latest = self.latest if again else Gpu.choose(self, fit, k)
        return self.latest


class warps_turn_round_with_exits(Gpu):
    """With each block that leaves an SM the direction turns in which its warps and pointer go round the subpartitions
    (upwards on an idle SM; room does not know it)."""

    def setup(self):
        for sm in self.sms:
            sm.way = 1

    def sub(self, sm, k, i):
        return (sm.p + sm.way * i) % 4

    def move(self, sm, k):
        sm.p = (sm.p + sm.way * (k.w + self.skip(sm, k))) % 4

    def free(self, k, b):
        k.resident[b][0].way *= -1
        Gpu.free(self, k, b)

    def sm_idle(self, sm):
        sm.p, sm.way = 0, 1


class heir_of_the_same_block(Gpu):
    """A block goes where the block of its number of the kernel before it in its stream was, if it fits there."""

    def choose(self, fit, k):
        before = [e for e in self.launched[:self.launched.index(k)] if e.stream == k.stream]
        heir = before[-1].homes[k.placed:k.placed + 1] if before else []
        return heir[0] if heir and heir[0] in fit else Gpu.choose(self, fit, k)

    def place(self, sm, k):
        k.homes = getattr(k, 'homes', []) + [sm]
        Gpu.place(self, sm, k)


class starved_sm_comes_first(Gpu):
    """An SM that could have had each of the latest 36 blocks (of the session) and was given none of them comes first;
    of several that for which it has been so longest."""

    def setup(self):
        self.passed = [0] * DEV['sms']

    def choose(self, fit, k):
        sm = min(fit, key=lambda sm: (-self.passed[sm.n] if self.passed[sm.n] >= 36 else 0, self.key(sm, k)))
        for s in self.sms:
            self.passed[s.n] = self.passed[s.n] + 1 if s in fit and s is not sm else 0
        return sm


class freed_slot_reserved_for_its_kernel(Gpu):
    """A block slot that a kernel gives back while it has blocks left is kept for it, as long as it has, until its SM
    is idle (room does not know it)."""

    def setup(self):
        for sm in self.sms:
            sm.kept = []

    def slot_free(self, sm, k):
        return sm.slots > sum(e is not k and e.placed < e.blocks for e in sm.kept)

    def place(self, sm, k):
        if k in sm.kept:
            sm.kept.remove(k)
        Gpu.place(self, sm, k)

    def free(self, k, b):
        k.resident[b][0].kept.append(k)
        Gpu.free(self, k, b)

    def sm_idle(self, sm):
        sm.p, sm.kept = 0, []


class ties_to_the_oldest_tenant(Gpu):
    """Of most room the SM of whose resident blocks one has been there longest (idle SMs last)."""

    def setup(self):
        self.came = {}

    def key(self, sm, k):
        return (-self.room(sm, k), min((self.came[b] for b in sm.blocks), default=10 ** 9), self.order[sm.n])

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.came[sm.blocks[-1]] = self.time

    def ended(self):
        self.came = {}


class urgency_budget_of_40(Gpu):
    """Once 40 blocks of priorities below 0 were placed while a less urgent kernel waited, these priorities count as 0,
    until the device is idle."""
    spent = 0

    def queue_key(self, k):
        return (max(k.priority, 0) if self.spent >= 40 else k.priority, k.joined)

    def place(self, sm, k):
        self.spent += k.priority < 0 and any(e.priority > k.priority for e in self.queue())
        Gpu.place(self, sm, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.spent = 0


class every_fourth_change_does_not_shrink(Gpu):
    """Every fourth change of a TPC's carve-out, counted in the session, is left out if it would be to a smaller
    one."""

    def setup(self):
        self.changes = [0] * DEV['sms']

    def config(self, sm, k):
        lazy = self.domain_idle(sm) and self.changes[self.tpc[sm.n]] % 4 == 3
        return max(sm.config, self.preferred(k)) if lazy else Gpu.config(self, sm, k)

    def place(self, sm, k):
        config = self.config(sm, k)
        if self.domain_idle(sm):
            self.changes[self.tpc[sm.n]] += sm.config not in (None, self.preferred(k))
        Gpu.place(self, sm, k)
        for s in self.domain(sm):
            s.config = config


if __name__ == '__main__':
    main(__name__)
