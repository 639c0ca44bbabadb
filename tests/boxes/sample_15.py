#!/usr/bin/env python3
"""A fifteenth sample of black boxes by somebody who did not know how cuvier asks: what a designer of hardware could
choose, with credits, banks, budgets, hysteresis and history. Twelve are a T4 and four an RTX 3090, each foreign.py's
Algorithm 1 but for one thing (one of them for two), and two an H200, sample_05.py's ClusterGpu but for one.
Nine say by which formulas of docs/reference/formulas.md they are known; of the others none is. Run as foreign.py:

    sample_15.py                      lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_15.py waking_costs_two' --out DIR
"""
from collections import Counter

from sample_05 import ClusterGpu
from foreign import *
from sample_14 import H200, T4, Rtx3090
from sample_07 import Actions
from sample_12 import warps_on


class Touched:
    """Knows which SMs blocks have left with a release (`exits`), before the release is dispatched."""

    def setup(self):
        self.left = set()

    def free(self, k, b):
        self.left.add(k.resident[b][0])
        super().free(k, b)

    def released(self):
        for sm in self.left:
            self.exits(sm)
        self.left.clear()

    ended = released


# Formulas

class waking_costs_two(T4, Gpu):
    """To wake a TPC that holds nothing counts as two blocks less of room. Formula:
    selection=(tpc_blocks > 0 ? 0 : 2) - room."""

    def key(self, sm, k):
        return ((2 if self.domain_idle(sm) else 0) - self.room(sm, k), self.order[sm.n])


class cools_for_four_blocks(T4, Gpu):
    """An SM that blocks have left comes last, whatever the rooms, until four more blocks have been placed anywhere;
    forgotten when the device is idle. Formula: mark=gone > 0 ? 4 : more > 0 and mark > 0 ? mark - 1 : mark,
    selection=(mark > 0 ? 1 : 0, -room)."""

    def setup(self):
        self.hot = Counter()

    def free(self, k, b):
        self.hot[k.resident[b][0]] = 4
        Gpu.free(self, k, b)
        if self.idle():
            self.hot.clear()

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.hot.subtract(list(+self.hot))

    def key(self, sm, k):
        return (self.hot[sm] > 0, -self.room(sm, k), self.order[sm.n])


class tpc_budget_of_48_warps(T4, Gpu):
    """The two SMs of a TPC hold 48 warps at most, together; room does not know. Formula:
    mark=sm / 2 == at / 2 ? mark + more * w : mark, admission=mark + w <= 48."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and sum(map(warps_on, self.domain(sm))) + k.w <= 48


class two_tables_by_width(T4, Gpu):
    """An SM has two tables of four entries, one for blocks of up to four warps and one for wider ones; room does not
    know. Formula: mark=sm == at and w <= 4 ? mark + more : mark,
    admission=w <= 4 and mark < 4 or w > 4 and blocks - mark < 4."""

    def slot_free(self, sm, k):
        return sum((b[0].w <= 4) == (k.w <= 4) for b in sm.blocks) < 4


class feedback_levels(T4, Gpu):
    """A kernel becomes less urgent by one with every 48 blocks that it has placed. Formula:
    priority=(priority + placed / 48, joined)."""

    def queue_key(self, k):
        return (k.priority + k.placed // 48, k.joined)


class pointer_home_at_half(T4, Touched, Gpu):
    """The warp pointer of an SM goes back to 0 when a release leaves it at most half of its 32 warps. Formula:
    pointer_reset=warps <= 16."""

    def exits(self, sm):
        if warps_on(sm) <= 16:
            sm.p = 0


class never_two_ahead_of_its_sibling(Rtx3090, Gpu):
    """An SM takes a block only if it holds at most one more than the other SM of its TPC, so that the TPC's load stays
    even; room does not know. Formula: admission=2 * blocks <= tpc_blocks + 1."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and 2 * len(sm.blocks) <= sum(len(s.blocks) for s in self.domain(sm)) + 1


class window_of_four_and_reserve_by_warps(Rtx3090, Gpu):
    """Two: the three kernels right behind a head that waits are tried, those whose blocks ask for fewer registers than
    its own; and the runtime reserves 256 bytes of shared memory for each warp of a block, but 1 KiB at most. Formula:
    queue=behind <= 3 and registers * w < head_registers * head_warps, runtime_shared=min(w * 256, 1024)."""

    def candidates(self):
        q = self.queue()
        return q[:1] + [k for k in q[1:4] if k.registers * k.w < q[0].registers * q[0].w]

    def join(self):
        for k in self.kernels:
            k.s = up(k.shared, 128) + min(k.w * 256, 1024)
        Gpu.join(self)


class clusters_on_the_lightest_sms(H200, ClusterGpu):
    """In its GPC a cluster gets the SMs with the fewest resident warps, of equals those of the highest numbers.
    Formula: cluster_sms=(warps, -sm)."""

    def pick(self, gpc, k):
        fit = [sm for sm in self.of(gpc) if self.fits(sm, k)]
        return sorted(fit, key=lambda sm: (warps_on(sm), -sm.n))[:self.size(k)]


# No formulas

class bucket_of_tokens(T4, Actions, Gpu):
    """Each block takes a token of a bucket, and waits while it is empty. It holds 64, which an idle device has again,
    and each launch or release adds sixteen."""
    tokens = 64

    def action(self):
        self.tokens = min(self.tokens + 16, 64)

    def dispatch(self):
        if self.idle():
            self.tokens = 64
        Gpu.dispatch(self)

    def slot_free(self, sm, k):
        return sm.slots > 0 and self.tokens > 0

    def place(self, sm, k):
        self.tokens -= 1
        Gpu.place(self, sm, k)


class last_wave_at_equal_distances(T4, Gpu):
    """As soon as a kernel has no more blocks left than there are SMs of most room, SMs are set aside for these blocks
    at equal distances in the order of those: of m SMs for n blocks the (j m div n)th for the jth. One that does not fit
    there, once it is its turn, goes by room."""

    def choose(self, fit, k):
        left = k.blocks - k.placed
        if not hasattr(k, 'plan'):
            most = max(self.room(sm, k) for sm in fit)
            best = sorted((sm for sm in fit if self.room(sm, k) == most), key=self.rank)
            if left > len(best):
                return Gpu.choose(self, fit, k)
            k.plan = [best[j * len(best) // left] for j in range(left)]
        sm = k.plan.pop(0)
        return sm if sm in fit else Gpu.choose(self, fit, k)


class scratch_shrinks_with_a_kernel(T4, Gpu):
    """When a kernel with local memory is complete, the local-memory configuration shrinks to the most that any kernel
    with resident blocks needs, 0 if none does."""

    def free(self, k, b):
        Gpu.free(self, k, b)
        if k.local and not k.is_incomplete():
            self.local = max((e.local for e in self.kernels if e.resident), default=0)


class backs_off(T4, Actions, Gpu):
    """A kernel whose block fits nowhere is tried again with the next launch or release; if that is in vain, with the
    second from then, then the fourth, and so on until a block of it is placed. Those behind it are tried meanwhile. An
    idle device has all tried."""
    now = 0

    def action(self):
        self.now += 1

    def awake(self):
        if self.idle():
            for k in self.queue():
                k.until, k.wait = self.now, 1
        return [k for k in self.queue() if getattr(k, 'until', 0) <= self.now]

    def dispatch(self):
        while awake := self.awake():
            k = awake[0]
            fit = [] if self.local_waits(k) else [sm for sm in self.sms if self.fits(sm, k)]
            if fit:
                self.place(self.choose(fit, k), k)
                k.wait = 1
            else:
                k.wait = getattr(k, 'wait', 1)
                k.until = self.now + k.wait
                k.wait *= 2


class packs_for_those_who_wait(T4, Gpu):
    """While more than one kernel is queued, blocks go to the SM with least room, so that large holes are left to those
    who wait."""

    def candidates(self):
        q = self.queue()
        self.contended = len(q) > 1
        return q[:1]

    def key(self, sm, k):
        room = self.room(sm, k)
        return (room if self.contended else -room, self.order[sm.n])


class compacts_when_four_are_left(T4, Touched, Gpu):
    """On an SM that a release leaves with one to four blocks, what these hold of shared memory moves down, in its
    order, so that all free space is behind it; with more blocks holes stay."""

    def exits(self, sm):
        if len(sm.blocks) > 4:
            return
        at, sm.used = 0, []
        for k, b in sorted(sm.blocks, key=lambda block: block[0].resident[block[1]][2] or ()):
            on, subs, hold, rw = k.resident[b]
            if hold:
                hold = (at, at + k.s)
                at += k.s
                sm.used.append(hold)
            k.resident[b] = (on, subs, hold, rw)


class carveout_must_rest(Rtx3090, Actions, Gpu):
    """An idle TPC takes another carve-out only from the second launch or release behind that in which its last block
    left. Until then it keeps the one it had, and takes no block that prefers more; on an idle device all are free."""
    now = 0

    def setup(self):
        self.emptied = {}

    def action(self):
        self.now += 1

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if self.idle():
            self.setup()
        elif self.domain_idle(sm):
            self.emptied[self.tpc[sm.n]] = self.now + 1   # as the release is counted once all have left

    def open(self, sm):
        return self.domain_idle(sm) and self.now - self.emptied.get(self.tpc[sm.n], self.now - 2) >= 2

    def config(self, sm, k):
        return self.preferred(k) if self.open(sm) else sm.config

    def gate(self, sm, k):
        return self.open(sm) or self.preferred(k) <= sm.config

    def place(self, sm, k):
        config = self.config(sm, k)
        self.preferred = lambda k: config
        Gpu.place(self, sm, k)
        del self.preferred
        self.emptied.pop(self.tpc[sm.n], None)


class ties_begin_where_a_kernel_began(Rtx3090, Gpu):
    """With a release that completes a kernel, ties begin at the SM that its first block had (of several kernels that
    which joined last); exits of other blocks leave that as it is. An idle device begins at the start of the order."""

    def setup(self):
        self.at, self.done = 0, []

    def place(self, sm, k):
        if not k.placed:
            k.home = sm
        Gpu.place(self, sm, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if not k.is_incomplete():
            self.done.append(k)

    def released(self):
        if self.done:
            self.at = self.rank(max(self.done, key=lambda k: k.joined).home)
        self.done = []
        if self.idle():
            self.at = 0

    ended = setup

    def key(self, sm, k):
        return (-self.room(sm, k), (self.rank(sm) - self.at) % DEV['sms'])


class gpc_stays_full(H200, ClusterGpu):
    """A GPC that was asked for a cluster and could not take it is full: it takes no clusters, of whatever size or
    kernel, until a block leaves it or the device is idle."""

    def setup(self):
        self.full = set()

    def pick(self, gpc, k):
        if gpc in self.full:
            return []
        sms = ClusterGpu.pick(self, gpc, k)
        if len(sms) < self.size(k):
            self.full.add(gpc)
        return sms

    def free(self, k, b):
        self.full.discard(DEV['gpc_of_sm'][k.resident[b][0].n])
        ClusterGpu.free(self, k, b)

    def device_idle(self):
        ClusterGpu.device_idle(self)
        self.full.clear()


if __name__ == '__main__':
    main(__name__)
