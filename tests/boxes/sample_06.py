#!/usr/bin/env python3
"""A sixth sample of black boxes by somebody who did not know what a formula can say: Algorithm 1
but for one thing (17), or for two (the last 4). Run as foreign.py is:

    sample_06.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_06.py slot_ring' --out DIR
"""
from foreign import *

N = DEV['sms']
WARPS = DEV['max_warps_per_sm']


def held(sm):
    """Warps that are resident on the SM."""
    return WARPS - sum(sm.warps)


# The choice of an SM

class stale_by_one_pick(Gpu):
    """A pick does not yet see the block of the pick just before it: it takes that SM's room as it was without it. A
    launch or a release brings all up to date. (Whether a block fits is always known.)"""

    def setup(self):
        self.stale = None

    def released(self):
        self.stale = None

    def join(self):
        self.stale = None
        Gpu.join(self)

    def place(self, sm, k):
        before = dict(vars(sm), warps=sm.warps[:], regs=sm.regs[:], used=sm.used[:], blocks=sm.blocks[:])
        Gpu.place(self, sm, k)
        self.stale = (sm, before)

    def room(self, sm, k):
        if not self.stale or self.stale[0] is not sm:
            return Gpu.room(self, sm, k)
        now = dict(vars(sm))
        vars(sm).update(self.stale[1])
        room = Gpu.room(self, sm, k)
        vars(sm).update(now)
        return room


class least_stranded(Gpu):
    """The SM on which, with the block, the free fraction of the warp slots and that of the registers differ least; so
    that neither is left over without the other."""

    def key(self, sm, k):
        warps = (sum(sm.warps) - k.w) * DEV['registers_per_sm']
        registers = (sum(sm.regs) - k.w * k.rw) * WARPS
        return (abs(warps - registers), self.order[sm.n])


class room_less_sibling(Gpu):
    """The SM with the largest difference of its room and the number of blocks on the other SM of its TPC."""

    def key(self, sm, k):
        beside = sum(len(s.blocks) for s in self.domain(sm) if s is not sm)
        return (beside - self.room(sm, k), self.order[sm.n])


class coolest(Gpu):
    """Of most room the coolest SM: a block heats its SM by one for each warp, and with every launch and every release
    all SMs' heat is halved (rounded down). Nothing else cools them, nor does an idle device."""

    def setup(self):
        self.heat, self.known = [0] * N, 0

    def cool(self):
        self.heat = [heat // 2 for heat in self.heat]

    released = cool

    def join(self):
        if len(self.launched) > self.known:
            self.known = len(self.launched)
            self.cool()
        Gpu.join(self)

    def ended(self):
        self.known = 0

    def place(self, sm, k):
        self.heat[sm.n] += k.w
        Gpu.place(self, sm, k)

    def key(self, sm, k):
        return (-self.room(sm, k), self.heat[sm.n], self.order[sm.n])


class wear_levelling(Gpu):
    """Each time that the device becomes idle, the tie-break order begins a TPC further: at first it is 0, 2, 4, ...,
    then 2, 4, ..., 22, 0, 3, 5, ..., 23, 1, and so on. Only a new session begins anew."""

    def setup(self):
        self.begin = 0

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.begin += 1

    def key(self, sm, k):
        a, tpc = self.order[sm.n]
        return (-self.room(sm, k), a, (tpc - self.begin) % (N // 2))


# How many blocks

class pairs_when_few_fit(Gpu):
    """While its block fits on fewer than half of the SMs, a pick places two blocks (if the second fits there), since
    arbitration is slow then."""

    def choose(self, fit, k):
        self.many = 2 if 2 * len(fit) < N else 1
        return Gpu.choose(self, fit, k)

    def batch(self, k):
        return self.many


# Which kernel is tried

class blocked_head_to_the_back(Gpu):
    """A kernel at the head whose block cannot be placed goes behind the other kernels of its priority in the queue, and
    stays there; the next one is tried."""

    def candidates(self):
        q = self.queue()
        for k in [k for k in q if k.priority == q[0].priority]:
            if not self.local_waits(k) and any(self.fits(sm, k) for sm in self.sms):
                return [k]
            self.joins += 1
            k.joined = self.joins
        return []


# Whether an SM takes a block

class slot_ring_by_all(Gpu):
    """An SM's 16 block slots are a ring: a block takes the slot behind that of the block that came before it, and if
    this is held the SM takes none, whatever others are free. Room counts all that are free."""

    def setup(self):
        self.at, self.taken = [0] * N, [{} for _ in range(N)]

    def slot_free(self, sm, k):
        return self.at[sm.n] not in self.taken[sm.n].values()

    def place(self, sm, k):
        self.taken[sm.n][k, k.placed] = self.at[sm.n]
        self.at[sm.n] = (self.at[sm.n] + 1) % DEV['max_blocks_per_sm']
        Gpu.place(self, sm, k)

    def free(self, k, b):
        del self.taken[k.resident[b][0].n][k, b]
        Gpu.free(self, k, b)


class slot_ring(slot_ring_by_all):
    """The same, where room counts only the free slots from there to the first that is held."""

    def room(self, sm, k):
        size, taken = DEV['max_blocks_per_sm'], self.taken[sm.n].values()
        ahead = min(((slot - self.at[sm.n]) % size for slot in taken), default=size)
        return min(ahead, Gpu.room(self, sm, k))


class odd_sm_wakes_later(Gpu):
    """An idle SM of odd number sleeps: it is given a block only if its TPC's other SM holds two or more, or cannot take
    this one."""

    def slot_free(self, sm, k):
        if sm.n % 2 and not sm.blocks:
            awake = self.sms[sm.n - 1]
            return len(awake.blocks) >= 2 or not self.fits(awake, k)
        return sm.slots > 0


class idle_sms_for_the_urgent(Gpu):
    """While blocks of a more urgent priority are resident anywhere, a kernel gets no idle SM: it may only fill up
    those that hold blocks."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (bool(sm.blocks) or not any(e.resident and e.priority < k.priority
                                                            for e in self.kernels))


# Warps and the pointer

class narrow_in_half_an_sm(Gpu):
    """A block of up to four warps stays in the half of the SM (subpartitions 0 and 1, or 2 and 3) that the pointer is
    in: its warps go there by turns, the first to the pointer. Room and the pointer's steps do not know it."""

    def sub(self, sm, k, i):
        return sm.p // 2 * 2 + (sm.p + i) % 2 if k.w <= 4 else Gpu.sub(self, sm, k, i)


class starts_at_slot_number(Gpu):
    """A block has the lowest free number of the SM's 16 slots, and its first warp goes to the subpartition of that
    number modulo 4; there is no other pointer."""

    def setup(self):
        self.numbers = [{} for _ in range(N)]

    def lowest(self, sm):
        return min(set(range(DEV['max_blocks_per_sm'])) - set(self.numbers[sm.n].values()), default=0)

    def place(self, sm, k):
        self.numbers[sm.n][k, k.placed] = self.lowest(sm)
        Gpu.place(self, sm, k)

    def move(self, sm, k):
        sm.p = self.lowest(sm) % 4

    def free(self, k, b):
        sm = k.resident[b][0]
        del self.numbers[sm.n][k, b]
        Gpu.free(self, k, b)
        self.move(sm, k)


# Shared memory and its carve-out

class copies_a_config_in_use(Gpu):
    """An idle TPC takes the least configuration that some busy TPC has and that is not smaller than what the block
    prefers; only if there is none, just that which it prefers."""

    def config(self, sm, k):
        if not self.domain_idle(sm):
            return sm.config
        want = self.preferred(k)
        return min((s.config for s in self.sms if s.blocks and s.config >= want), default=want)

    def place(self, sm, k):
        config = self.config(sm, k)
        Gpu.place(self, sm, k)
        for s in self.domain(sm):
            s.config = config


class shared_stack(Gpu):
    """An SM's shared memory is a stack: a block gets what follows the highest interval held, and a hole below that is
    no space (nor room) until all above it has been given back."""

    def gaps(self, sm, config):
        top = max((b for a, b in sm.used), default=0)
        return [(top, config)] if config > top else []


# Registers

class salvaged_register_files(Gpu):
    """On SMs 6 and 13 a quarter of subpartition 3's registers is fused off: it has 12,288. Their room knows it."""

    def setup(self):
        for n in (6, 13):
            self.sms[n].regs[3] = 12288


# Local memory

class local_per_priority(Gpu):
    """Each priority has a local-memory configuration of its own, which grows while no block of that priority is
    resident; they survive as the device's does."""

    def setup(self):
        self.per = {}

    def local_waits(self, k):
        if not any(e.resident and e.priority == k.priority for e in self.kernels):
            self.per[k.priority] = max(self.per.get(k.priority, 0), k.local)
        return k.local > self.per[k.priority]


# Two things at once

class tails_overlap_and_pointer_counts(Gpu):
    """Two: once the head has fewer blocks left than there are SMs, it and the kernel behind it get blocks by turns, and
    neither holds up the other; and an SM's warp pointer is the number of warps held there modulo 4, also when blocks
    have left."""

    latest = None

    def candidates(self):
        q = self.queue()
        if len(q) < 2 or q[0].blocks - q[0].placed >= N:
            return q[:1]
        return [q[1], q[0]] if self.latest is q[0] else q[:2]

    def place(self, sm, k):
        self.latest = k
        Gpu.place(self, sm, k)

    def move(self, sm, k):
        sm.p = held(sm) % 4

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        self.move(sm, k)


class twos_and_l1_kept(Gpu):
    """Two: a pick places blocks 2n and 2n + 1 together, on an SM that has room for both or is idle (the second goes
    alone if it does not fit there); and no kernel prefers more than 64 KiB of shared memory (the rest stays L1)
    unless one of its blocks needs it."""

    def fits(self, sm, k):
        if not Gpu.fits(self, sm, k):
            return False
        alone = k.placed % 2 or k.blocks - k.placed == 1
        return bool(alone or not sm.blocks or self.room(sm, k) >= 2)

    def batch(self, k):
        return 1 if k.placed % 2 else 2

    def preferred(self, k):
        want = Gpu.preferred(self, k)
        return min(want, 65536) if k.s <= 65536 else want


class shared_halves_and_window(Gpu):
    """Two: an allocation of shared memory that is not larger than half of the configuration does not cross its middle
    (room does not know it); and a kernel may have 30 blocks resident, and one more for each of its blocks that have
    exited."""

    def start(self, sm, k, config):
        half = config // 2
        for a, b in self.gaps(sm, config):
            if a < half < a + k.s and k.s <= half:
                a = half
            if a + k.s <= b:
                return a
        return None

    def shared_fit(self, sm, k):
        return self.gate(sm, k) and self.start(sm, k, self.config(sm, k)) is not None

    def interval(self, sm, k):
        return self.start(sm, k, sm.config)

    def slot_free(self, sm, k):
        exited = k.placed - len(k.resident)
        return sm.slots > 0 and len(k.resident) < 30 + exited


class one_width_and_local_passed(Gpu):
    """Two: an SM that is not idle takes only blocks of as many warps as those that it holds; and while the head waits
    for local memory, the kernels behind it are tried."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and all(b[0].w == k.w for b in sm.blocks)

    def candidates(self):
        q = self.queue()
        return q if q and not self.idle() and q[0].local > self.local else q[:1]


if __name__ == '__main__':
    main(__name__)
