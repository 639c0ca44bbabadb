#!/usr/bin/env python3
"""A seventh sample of black boxes by somebody who did not know what a formula can say: Algorithm 1
but for one thing. Ten simple rules, five of narrow circumstances, five with a memory. Run as foreign.py is:

    sample_07.py                         lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_07.py unstable_heap' --out DIR
"""
from fractions import Fraction

from foreign import *

N = DEV['sms']
WARPS = DEV['max_warps_per_sm']


class Actions:
    """Tells a box when a launch or a release is about to be dispatched."""
    known = 0

    def released(self):
        self.action()

    def join(self):
        if len(self.launched) > self.known:
            self.known = len(self.launched)
            self.action()
        super().join()

    def ended(self):
        self.known = 0


# Simple

class twins_on_a_tpc(Gpu):
    """A block of odd index goes to the other SM of the TPC that its predecessor went to, if it fits there."""

    def choose(self, fit, k):
        twin = [sm for sm in fit if k.placed % 2 and sm is not k.latest and self.tpc[sm.n] == self.tpc[k.latest.n]]
        return twin[0] if twin else Gpu.choose(self, fit, k)

    def place(self, sm, k):
        k.latest = sm
        Gpu.place(self, sm, k)


class ties_swizzled(Gpu):
    """Of most room the SM with the least number XOR (block index mod 8)."""

    def key(self, sm, k):
        return (-self.room(sm, k), sm.n ^ k.placed % 8)


class room_in_four_bits(Gpu):
    """Room is kept in four bits: 16 is 0."""

    def room(self, sm, k):
        return Gpu.room(self, sm, k) % 16


class one_warp_half_a_slot(Gpu):
    """A block of one warp takes half a block slot (room and the preferred configuration know it)."""

    def setup(self):
        for sm in self.sms:
            sm.slots *= 2

    def slot_free(self, sm, k):
        return sm.slots >= min(k.w, 2)

    def place(self, sm, k):
        sm.slots -= min(k.w, 2) - 1
        Gpu.place(self, sm, k)

    def free(self, k, b):
        k.resident[b][0].slots += min(k.w, 2) - 1
        Gpu.free(self, k, b)

    def room(self, sm, k):
        slots = sm.slots
        sm.slots //= min(k.w, 2)
        room = Gpu.room(self, sm, k)
        sm.slots = slots
        return room

    def occ(self, k):
        if k.w > 1:
            return Gpu.occ(self, k)
        per = min(WARPS // 4, DEV['registers_per_sm'] // 4 // k.rw)
        return max(1, min(2 * DEV['max_blocks_per_sm'], 4 * per, DEV['shared_configs'][-1] // k.s))


class warp_slots_by_powers_of_two(Gpu):
    """A block takes warp slots, but not registers, for the next power of two of warps (room and the preferred
    configuration know it; the pointer does not)."""

    def slots_of(self, k):
        return 1 << (k.w - 1).bit_length()

    def warps_fit(self, sm, k):
        warps, regs = sm.warps[:], sm.regs[:]
        for i in range(self.slots_of(k)):
            q = self.sub(sm, k, i)
            warps[q] -= 1
            regs[q] -= k.rw if i < k.w else 0
        return min(warps + regs) >= 0

    def extra(self, sm, k):
        return [self.sub(sm, k, i) for i in range(k.w, self.slots_of(k))]

    def place(self, sm, k):
        extra, b = self.extra(sm, k), k.placed
        Gpu.place(self, sm, k)
        for q in extra:
            sm.warps[q] -= 1
        vars(k).setdefault('extra', {})[b] = extra

    def free(self, k, b):
        for q in k.extra[b]:
            k.resident[b][0].warps[q] += 1
        Gpu.free(self, k, b)

    def room(self, sm, k):
        def limit(c, w):
            m = min(c)
            return (4 * m + next(j for j in range(4) if c[(sm.p + j) % 4] == m)) // w

        longest = max((b - a for a, b in self.gaps(sm, self.config(sm, k))), default=0)
        return min(sm.slots, limit(sm.warps, self.slots_of(k)), limit([r // k.rw for r in sm.regs], k.w),
                   longest // k.s)

    def occ(self, k):
        return max(1, min(Gpu.occ(self, k), WARPS // self.slots_of(k)))


class begins_on_an_idle_sm(Gpu):
    """A kernel's first block needs an idle SM."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.placed > 0 or not sm.blocks)


class dominant_share_first(Gpu):
    """Of one priority the kernel is tried that holds the least of the device in the resource of which it holds most
    (block slots, warps, registers, shared memory)."""

    def queue_key(self, k):
        share = max(Fraction(1, DEV['max_blocks_per_sm']), Fraction(k.w, WARPS),
                    Fraction(k.w * k.rw, DEV['registers_per_sm']), Fraction(k.s, DEV['shared_configs'][-1]))
        return (k.priority, len(k.resident) * share, k.joined)


class tpc_has_128_kib(Gpu):
    """The SMs of a TPC hold 128 KiB of shared memory at most, together (room does not know it)."""

    def shared_fit(self, sm, k):
        there = sum(b - a for s in self.domain(sm) for a, b in s.used)
        return Gpu.shared_fit(self, sm, k) and there + k.s <= 131072


class fewest_strangers(Gpu):
    """The SM with blocks of the fewest other kernels, of these that with most room."""

    def key(self, sm, k):
        return (len({id(b[0]) for b in sm.blocks if b[0] is not k}), -self.room(sm, k), self.order[sm.n])


class occupancy_of_the_newcomer(Gpu):
    """An SM takes a block only while it holds fewer blocks, of whatever kernels, than an idle SM can hold of that one's
    kernel."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and len(sm.blocks) < self.occ(k)


# Of narrow circumstances

class unstable_heap(Gpu):
    """The queue is a binary heap by priority alone: a kernel joins at its end and goes up past less urgent ones; one
    that has placed its last block is replaced by that at the end, which goes down past more urgent ones (the left one
    of equals)."""

    def setup(self):
        self.heap = []

    ended = setup

    def join(self):
        before = self.joins
        Gpu.join(self)
        heap = self.heap
        for k in sorted((k for k in self.launched if (k.joined or 0) > before), key=lambda k: k.joined):
            heap.append(k)
            i = len(heap) - 1
            while i and heap[i].priority < heap[(i - 1) // 2].priority:
                heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
                i = (i - 1) // 2

    def pop(self):
        heap = self.heap
        last = heap.pop()
        if not heap:
            return
        heap[0], i = last, 0
        while True:
            below = [j for j in (2 * i + 1, 2 * i + 2) if j < len(heap)]
            j = min(below, key=lambda j: heap[j].priority, default=i)
            if heap[j].priority >= heap[i].priority:
                return
            heap[i], heap[j] = heap[j], heap[i]
            i = j

    def candidates(self):
        while self.heap and self.heap[0].placed == self.heap[0].blocks:
            self.pop()
        return self.heap[:1]


class large_warps_take_two_slots(Gpu):
    """A warp of more than 80 registers a thread takes two warp slots of its subpartition (Intel's large GRF mode)."""

    def c(self, sm, k):
        return [min(sm.warps[q] // (2 if k.registers > 80 else 1), sm.regs[q] // k.rw) for q in range(4)]

    def place(self, sm, k):
        b = k.placed
        Gpu.place(self, sm, k)
        self.second(k, b, -1)

    def second(self, k, b, sign):
        if k.registers > 80:
            for q in k.resident[b][1]:
                k.resident[b][0].warps[q] += sign

    def free(self, k, b):
        self.second(k, b, 1)
        Gpu.free(self, k, b)


class local_for_the_queue(Gpu):
    """An idle device's local-memory configuration grows to what the neediest kernel in the queue needs."""

    def local_waits(self, k):
        if self.idle():
            self.local = max([self.local] + [e.local for e in self.queue()])
        return k.local > self.local


class skip_behind_the_same_width(Gpu):
    """The pointer's step behind a block of 4, 8, ... warps is skipped if the block before it on that SM (since it was
    idle) had another number of warps."""

    def setup(self):
        self.width = {}

    def skip(self, sm, k):
        return 1 if k.w % 4 == 0 and self.width.get(sm.n, k.w) == k.w else 0

    def move(self, sm, k):
        Gpu.move(self, sm, k)
        self.width[sm.n] = k.w

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.width.pop(sm.n, None)


class first_place_noted_at_joining(Gpu):
    """When a kernel joins the queue, the SM that it would get is noted, and its first block goes there if it fits there
    once it is its turn."""

    def join(self):
        before = self.joins
        Gpu.join(self)
        for k in self.launched:
            if (k.joined or 0) > before:
                fit = [sm for sm in self.sms if self.fits(sm, k)]
                k.noted = Gpu.choose(self, fit, k) if fit else None

    def choose(self, fit, k):
        return k.noted if k.placed == 0 and k.noted in fit else Gpu.choose(self, fit, k)


# With a memory

class half_until_one_has_left(Gpu):
    """An SM takes no more blocks of a kernel than half of what an idle one holds (rounded up) until one of that
    kernel's blocks has left it (lazy CTA scheduling)."""

    def slot_free(self, sm, k):
        own = sum(b[0] is k for b in sm.blocks)
        return sm.slots > 0 and (2 * own < self.occ(k) or sm.n in getattr(k, 'left', ()))

    def free(self, k, b):
        k.left = getattr(k, 'left', set()) | {k.resident[b][0].n}
        Gpu.free(self, k, b)


class watermarks_for_beginners(Gpu):
    """Once three quarters of the device's warp slots are held, no kernel begins until fewer than half are."""
    closed = False

    def watch(self):
        held = N * WARPS - sum(sum(sm.warps) for sm in self.sms)
        if 4 * held >= 3 * N * WARPS:
            self.closed = True
        elif 2 * held < N * WARPS:
            self.closed = False

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.watch()

    def free(self, k, b):
        Gpu.free(self, k, b)
        self.watch()

    def candidates(self):
        return [k for k in self.queue()[:1] if k.placed or not self.closed]


class scrubbed_before_reuse(Actions, Gpu):
    """Shared memory that a block gives back can be taken again only with the launch or release behind that in which it
    left, or when its SM is idle."""

    def setup(self):
        self.old, self.new = [], []

    def free_shared(self, sm, hold):
        self.new.append((sm, hold))

    def action(self):
        for sm, hold in self.old:
            sm.used.remove(hold)
        self.old, self.new = self.new, []

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        sm.used.clear()
        self.old = [e for e in self.old if e[0] is not sm]
        self.new = [e for e in self.new if e[0] is not sm]


class rests_behind_every_twentieth(Actions, Gpu):
    """Behind every 20th block that an SM was given in the session it takes no more until the next launch or release."""

    def setup(self):
        self.given, self.resting = [0] * N, set()

    def action(self):
        self.resting.clear()

    def slot_free(self, sm, k):
        return sm.slots > 0 and sm.n not in self.resting

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.given[sm.n] += 1
        if self.given[sm.n] % 20 == 0:
            self.resting.add(sm.n)


class config_of_the_launch_before(Gpu):
    """An idle TPC takes what the kernel launched just before the block's (in the session) prefers, if that is larger
    than what the block does."""
    before = 0

    def config(self, sm, k):
        if not self.domain_idle(sm):
            return sm.config
        at = self.launched.index(k)
        return max(self.preferred(k), self.preferred(self.launched[at - 1]) if at else self.before)

    def place(self, sm, k):
        config = self.config(sm, k)
        Gpu.place(self, sm, k)
        for s in self.domain(sm):
            s.config = config

    def ended(self):
        if self.launched:
            self.before = self.preferred(self.launched[-1])


if __name__ == '__main__':
    main(__name__)
