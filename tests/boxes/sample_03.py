#!/usr/bin/env python3
"""A third sample of black boxes by somebody who did not know what a formula can say: Algorithm 1
but for one thing (20), or for two (the last 4). Run as foreign.py is:

    sample_03.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_03.py gangs_of_four' --out DIR
"""
from foreign import *

N = DEV['sms']


def held(sm):
    """Warps that are resident on the SM."""
    return DEV['max_warps_per_sm'] - sum(sm.warps)


# The choice of an SM

class dominant_resource(Gpu):
    """The SM with most free of that resource of which the block takes the largest fraction of an SM (ties: block
    slots, warp slots, registers, shared memory)."""

    def key(self, sm, k):
        shares = (1 / 16, k.w / 48, k.w * k.rw / 65536, k.s / 102400)
        free = (sm.slots, sum(sm.warps), sum(sm.regs), 102400 - sum(b - a for a, b in sm.used))
        return (-free[shares.index(max(shares))], self.order[sm.n])


class cool_neighbours(Gpu):
    """Of most room the SM whose neighbours by number (one below, one above, as far as there are) hold the fewest
    warps together."""

    def key(self, sm, k):
        return (-self.room(sm, k), sum(held(s) for s in self.sms if abs(s.n - sm.n) == 1), self.order[sm.n])


class perfect_fit_first(Gpu):
    """An SM that has room for exactly one block comes first; without one, that with most room."""

    def key(self, sm, k):
        room = self.room(sm, k)
        return (room != 1, -room, self.order[sm.n])


class near_its_l2(Gpu):
    """A kernel stays in the half of the SMs (0-11 or 12-23) where its first block went, as long as its block fits
    anywhere there; in it by room."""

    def key(self, sm, k):
        home = getattr(k, 'home', sm.n // 12)
        return (sm.n // 12 != home, -self.room(sm, k), self.order[sm.n])

    def place(self, sm, k):
        if k.placed == 0:
            k.home = sm.n // 12
        Gpu.place(self, sm, k)


class standard_room(Gpu):
    """Rooms are counted for a block of 256 threads, 32 registers and no dynamic shared memory, whatever the block."""

    standard = Kernel('standard', {'blocks': 1, 'threads': 256, 'registers': 32}, 0)

    def key(self, sm, k):
        return (-self.room(sm, self.standard), self.order[sm.n])


class idle_tpc_swaps(Gpu):
    """Whenever a TPC becomes idle, its two SMs change places in the order (until the device is idle: then all are as
    at first)."""

    def setup(self):
        self.swapped = [0] * N

    def key(self, sm, k):
        t = self.tpc[sm.n]
        return (-self.room(sm, k), sm.n % 2 ^ self.swapped[t], t)

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if self.idle():
            self.setup()
        elif self.domain_idle(sm):
            self.swapped[self.tpc[sm.n]] ^= 1


class where_the_stream_was(Gpu):
    """Of most room, SMs on which the kernel before it in its stream had blocks come first."""

    def place(self, sm, k):
        k.homes = getattr(k, 'homes', set()) | {sm.n}
        Gpu.place(self, sm, k)

    def key(self, sm, k):
        before = self.launched[:self.launched.index(k)]
        homes = [e.homes for e in before if e.stream == k.stream][-1:]
        return (-self.room(sm, k), not homes or sm.n not in homes[0], self.order[sm.n])


class powered_on_demand(Gpu):
    """On an idle device TPCs 0 to 3 have power; when a block fits on none of the SMs with power, the next TPCs by
    number get it, up to the first on which it fits."""

    def setup(self):
        self.on = 4

    def choose(self, fit, k):
        if self.idle():
            self.on = 4
        self.on = max(self.on, min(self.tpc[sm.n] for sm in fit) + 1)
        return Gpu.choose(self, [sm for sm in fit if self.tpc[sm.n] < self.on], k)


# How many blocks

class half_the_room(Gpu):
    """A pick places half as many blocks as the chosen SM has room for, rounded up."""

    def choose(self, fit, k):
        sm = Gpu.choose(self, fit, k)
        self.many = (self.room(sm, k) + 1) // 2
        return sm

    def batch(self, k):
        return self.many


# Whether an SM takes a block

class hot_until_half(Gpu):
    """An SM that holds 40 warps or more is hot and takes no block until it holds fewer than 24."""

    def setup(self):
        self.hot = set()

    def slot_free(self, sm, k):
        return sm.slots > 0 and sm.n not in self.hot

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        if held(sm) >= 40:
            self.hot.add(sm.n)

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if held(sm) < 24:
            self.hot.discard(sm.n)


class wakes_six_at_a_time(Gpu):
    """With each launch or release no more than six idle SMs are given a block; others stay asleep until the next."""

    def setup(self):
        self.woken = self.known = 0

    ended = setup

    def released(self):
        self.woken = 0

    def join(self):
        if len(self.launched) > self.known:
            self.woken, self.known = 0, len(self.launched)
        Gpu.join(self)

    def slot_free(self, sm, k):
        return sm.slots > 0 and (sm.blocks or self.woken < 6)

    def place(self, sm, k):
        self.woken += not sm.blocks
        Gpu.place(self, sm, k)


class eight_sms_per_kernel(Gpu):
    """A kernel is resident on eight SMs at most."""

    def slot_free(self, sm, k):
        on = {r[0].n for r in k.resident.values()}
        return sm.slots > 0 and (sm.n in on or len(on) < 8)


class gangs_of_four(Gpu):
    """Of every four blocks of a kernel (0-3, 4-7, ...) the first waits until the SMs on which it fits have room for
    all four together (or for as many as the grid has left)."""

    def candidates(self):
        q = self.queue()[:1]
        if q and q[0].placed % 4 == 0:
            rooms = sum(self.room(sm, q[0]) for sm in self.sms if self.fits(sm, q[0]))
            if rooms < min(4, q[0].blocks - q[0].placed):
                return []
        return q


class spills_stay_in_l1(Gpu):
    """A block with local memory joins a busy SM only if the local memory of all blocks there (threads times local)
    fits in what the carve-out leaves of 128 KiB."""

    def slot_free(self, sm, k):
        if sm.blocks and k.local > 0:
            spilled = sum(b[0].threads * b[0].local for b in sm.blocks) + k.threads * k.local
            if spilled > 131072 - sm.config:
                return False
        return sm.slots > 0


# Warps, registers and shared memory

class warps_snake(Gpu):
    """Warps go to the subpartitions there and back: p, p + 1, p + 2, p + 3, p + 3, p + 2, p + 1, p, p, p + 1, ..."""

    def sub(self, sm, k, i):
        return (sm.p + (i % 4 if i // 4 % 2 == 0 else 3 - i % 4)) % 4


class register_frames(Gpu):
    """The first block on an idle SM says how many registers each warp takes there until it is idle again; blocks that
    need fewer take as many, those that need more do not fit."""

    def frame(self, sm, k):
        return sm.frame if sm.blocks else k.rw

    def slot_free(self, sm, k):
        return sm.slots > 0 and k.rw <= self.frame(sm, k)

    def c(self, sm, k):
        return [min(warps, regs // self.frame(sm, k)) for warps, regs in zip(sm.warps, sm.regs)]

    def place(self, sm, k):
        sm.frame, own = self.frame(sm, k), k.rw
        k.rw = sm.frame
        Gpu.place(self, sm, k)
        k.rw = own


class carveout_for_the_queue(Gpu):
    """An idle TPC takes the largest configuration that any kernel in the queue prefers."""

    def config(self, sm, k):
        return max(self.preferred(e) for e in self.queue() + [k]) if self.domain_idle(sm) else sm.config

    def place(self, sm, k):
        config = self.config(sm, k)
        Gpu.place(self, sm, k)
        for s in self.domain(sm):
            s.config = config


# Kernels

class weights_not_ranks(Gpu):
    """Priorities are weights: the kernel with the least (blocks placed + 1) * 2^priority is tried, of equals the one
    that joined first (stride scheduling)."""

    def queue_key(self, k):
        return ((k.placed + 1) * 2.0 ** k.priority, k.joined)


class dependents_start_early(Gpu):
    """A kernel joins the queue once the earlier kernels of its stream have placed all their blocks; these need not
    have exited (programmatic dependent launch)."""

    def join(self):
        for i, k in enumerate(self.launched):
            running = sum(1 for e in self.launched if e.joined is not None and e.is_incomplete())
            early = all(e.placed == e.blocks for e in self.launched[:i] if e.stream == k.stream)
            if k.joined is None and early and running < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins


# Local memory

class local_decays(Gpu):
    """When a kernel is tried on an idle device, the local-memory configuration is halved (rounded down) before it
    grows to what the kernel needs."""

    def local_waits(self, k):
        if self.idle():
            self.local //= 2
        return Gpu.local_waits(self, k)


# Two things at once

class two_ends_and_begun_first(Gpu):
    """Two: blocks of 16 KiB of dynamic shared memory and more get the end of the last free interval that suffices;
    and a kernel that has placed a block is overtaken by no priority."""

    def interval(self, sm, k):
        if k.shared < 16384:
            return Gpu.interval(self, sm, k)
        return max(b for a, b in self.gaps(sm, sm.config) if b - a >= k.s) - k.s

    def queue_key(self, k):
        return (k.placed == 0, k.priority, k.joined)


class rounds_down_and_eight_pass(Gpu):
    """Two: the preferred configuration is rounded down to a supported one (up if that holds no block); and while
    the head waits, kernels behind it are tried in order, but no more than eight blocks in all pass a head."""

    def preferred(self, k):
        configs = [c for c in DEV['shared_configs'] if c >= k.s]
        return max([c for c in configs if c <= self.occ(k) * k.s], default=configs[0])

    def candidates(self):
        q = self.queue()
        self.head = q[0] if q else None
        return q if q and getattr(self.head, 'passed', 0) < 8 else q[:1]

    def place(self, sm, k):
        if k is not self.head:
            self.head.passed = getattr(self.head, 'passed', 0) + 1
        Gpu.place(self, sm, k)


class most_registers_and_local_powers(Gpu):
    """Two: each warp goes to the subpartition with most free registers (ties: the lowest) and nowhere else; and the
    local-memory configuration grows to powers of two."""

    def sub(self, sm, k, i):
        regs = list(sm.regs)
        for _ in range(i):
            regs[regs.index(max(regs))] -= k.rw
        return regs.index(max(regs))

    def local_waits(self, k):
        if self.idle() and k.local > self.local:
            self.local = 2 ** (k.local - 1).bit_length()
        return Gpu.local_waits(self, k)


class late_launches_and_half_an_sm(Gpu):
    """Two: a kernel launched on a busy device can join the queue only with the next launch or release; and while
    others are resident, a kernel adds blocks on an SM only up to 24 warps of its own (one block it may have)."""

    known = 0

    def join(self):
        launched, fresh = self.launched, len(self.launched) > self.known
        self.known = len(launched)
        if fresh and not self.idle():
            self.launched = launched[:-1]
        Gpu.join(self)
        self.launched = launched

    def ended(self):
        self.known = 0

    def slot_free(self, sm, k):
        own = k.w * sum(1 for b in sm.blocks if b[0] is k)
        others = any(e is not k and e.resident for e in self.kernels)
        return sm.slots > 0 and (not own or not others or own + k.w <= 24)


if __name__ == '__main__':
    main(__name__)
