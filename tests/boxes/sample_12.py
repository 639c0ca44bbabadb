#!/usr/bin/env python3
"""A twelfth sample of black boxes by somebody who did not know what a formula can say, nor how cuvier asks: what
papers, simulators and drivers do, each foreign.py's Algorithm 1 but for one thing. Eight read what is known when a
block is placed, seven remember from block to block or from kernel to kernel, nine are of release, priorities, streams
and waiting. Run as foreign.py:

    sample_12.py                         lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_12.py grid_in_thirds' --out DIR
"""
from foreign import *

WARPS = DEV['max_warps_per_sm']


def warps_on(sm):
    return sum(b[0].w for b in sm.blocks)


def own(sm, k):
    return sum(b[0] is k for b in sm.blocks)


# Simple

class grid_in_thirds(Gpu):
    """Each third of a grid has eight neighbouring SMs of its own (block b: third 3 b div blocks), and goes to others
    only where none of these can take it."""

    def choose(self, fit, k):
        third = 3 * k.placed // k.blocks
        return Gpu.choose(self, [sm for sm in fit if sm.n // 8 == third] or fit, k)


class strict_engines(Gpu):
    """Block b goes to an SM whose number leaves the same by four as b does; while none of these can take it, it
    waits."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and sm.n % 4 == k.placed % 4


class warps_to_power_of_two(Gpu):
    """An SM's 48 warps are counted with those of each block rounded up to a power of two, for room, too."""

    def left(self, sm):
        return WARPS - sum(self.rounded(b[0]) for b in sm.blocks)

    def rounded(self, k):
        return 1 << (k.w - 1).bit_length()

    def warps_fit(self, sm, k):
        return Gpu.warps_fit(self, sm, k) and self.rounded(k) <= self.left(sm)

    def room(self, sm, k):
        return min(Gpu.room(self, sm, k), self.left(sm) // self.rounded(k))


class registers_for_even_warps(Gpu):
    """A block of an odd number of warps takes registers for one more, where that one would be. Room does not know."""

    def setup(self):
        self.more = {}

    def warps_fit(self, sm, k):
        need = [0] * 4
        for i in range(up(k.w, 2)):
            need[self.sub(sm, k, i)] += k.rw
        return Gpu.warps_fit(self, sm, k) and all(n <= free for n, free in zip(need, sm.regs))

    def place(self, sm, k):
        if k.w % 2:
            q = self.more[k, k.placed] = self.sub(sm, k, k.w)
            sm.regs[q] -= k.rw
        Gpu.place(self, sm, k)

    def free(self, k, b):
        if k.w % 2:
            k.resident[b][0].regs[self.more.pop((k, b))] += k.rw
        Gpu.free(self, k, b)


class barriers(Gpu):
    """An SM has six barriers. A block takes one for every eight warps begun, and none if it is of a single warp."""

    def taken(self, k):
        return -(-k.w // 8) if k.w > 1 else 0

    def slot_free(self, sm, k):
        return sm.slots > 0 and self.taken(k) + sum(self.taken(b[0]) for b in sm.blocks) <= 6


class gpcs_by_share(Gpu):
    """SMs 0 to 9, 10 to 17 and 18 to 23 are GPCs. That with the fewest blocks for each of its SMs comes first, of
    those that can take the block; in it, most room."""

    def choose(self, fit, k):
        def share(gpc):
            return sum(len(sm.blocks) for sm in self.sms[gpc.start:gpc.stop]) / len(gpc)

        gpcs = [gpc for gpc in (range(10), range(10, 18), range(18, 24)) if any(sm.n in gpc for sm in fit)]
        best = min(gpcs, key=share)
        return Gpu.choose(self, [sm for sm in fit if sm.n in best], k)


class even_share(Gpu):
    """Of n kernels that are not complete, each has 48 / n warps on an SM at most, or else one block there."""

    def slot_free(self, sm, k):
        n = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.kernels)
        return sm.slots > 0 and (not own(sm, k) or (own(sm, k) + 1) * k.w <= WARPS // n)


class own_or_idle_first(Gpu):
    """SMs that hold other kernels' blocks come last."""

    def key(self, sm, k):
        return (own(sm, k) < len(sm.blocks), -self.room(sm, k), self.order[sm.n])


# These remember

class tpc_in_fours(Gpu):
    """A kernel's next block stays on the TPC of the last one, until four in a row went there or none fits; then the
    TPC with most room on its SMs that can take the block comes next."""

    def choose(self, fit, k):
        here = [sm for sm in fit if k.placed and k.run < 4 and self.tpc[sm.n] == k.tpc]
        if not here:
            k.run = 0
            k.tpc = min({self.tpc[sm.n] for sm in fit},
                        key=lambda t: (-sum(self.room(sm, k) for sm in fit if self.tpc[sm.n] == t), t))
            here = [sm for sm in fit if self.tpc[sm.n] == k.tpc]
        k.run += 1
        return Gpu.choose(self, here, k)


class limit_on_trial(Gpu):
    """A kernel may have 2, 4, 8 or 16 of its blocks on an SM: the session's first kernel 2, the one that begins next
    4, and so on, round and round."""

    def setup(self):
        self.begun = 0

    def slot_free(self, sm, k):
        return sm.slots > 0 and (not k.placed or own(sm, k) < k.limit)

    def place(self, sm, k):
        if not k.placed:
            k.limit = 2 << self.begun % 4
            self.begun += 1
        Gpu.place(self, sm, k)


class as_the_kernel_before(Gpu):
    """A block goes where the block of its number went of the kernel that had begun before its own in the session, if
    it fits there."""

    def setup(self):
        self.latest = {}

    def choose(self, fit, k):
        if not k.placed:
            k.before, k.here = self.latest, {}
            self.latest = k.here
        sm = k.before.get(k.placed)
        k.here[k.placed] = sm if sm in fit else Gpu.choose(self, fit, k)
        return k.here[k.placed]


class shared_next_fit(Gpu):
    """A block gets shared memory behind that of the SM's latest block, as soon as there is enough in one piece; from
    the bottom if there is not. An idle SM begins at the bottom."""

    def setup(self):
        self.behind = [0] * DEV['sms']

    def interval(self, sm, k):
        gaps = self.gaps(sm, sm.config)
        pieces = [(max(a, self.behind[sm.n]), b) for a, b in gaps] + gaps
        a = next(a for a, b in pieces if b - a >= k.s)
        self.behind[sm.n] = a + k.s
        return a

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.behind[sm.n] = 0


class fewest_ever(Gpu):
    """Of most room the SM that has had the fewest blocks in the session."""

    def setup(self):
        self.had = [0] * DEV['sms']

    def key(self, sm, k):
        return (-self.room(sm, k), self.had[sm.n], self.order[sm.n])

    def place(self, sm, k):
        self.had[sm.n] += 1
        Gpu.place(self, sm, k)


class two_a_pass(Gpu):
    """An SM gets two blocks in a pass, of whatever kernels. Another pass begins when no other SM can take the next
    one; passes go on from probe to probe."""

    def setup(self):
        self.had = [0] * DEV['sms']

    def choose(self, fit, k):
        if all(self.had[sm.n] == 2 for sm in fit):
            self.had = [0] * DEV['sms']
        sm = Gpu.choose(self, [sm for sm in fit if self.had[sm.n] < 2], k)
        self.had[sm.n] += 1
        return sm


class turns_of_eight(Gpu):
    """Queued kernels of the best priority take turns as they joined, round and round: eight blocks in a turn. Nobody
    passes the one whose turn it is."""

    def setup(self):
        self.now, self.count = None, 0

    def candidates(self):
        q = self.queue()
        top = [k for k in q if k.priority == q[0].priority]
        if not top or self.now in top and self.count < 8:
            return [self.now] if top else []
        return ([k for k in top if self.now and k.joined > self.now.joined] or top)[:1]

    def place(self, sm, k):
        if k is not self.now or self.count == 8:
            self.now, self.count = k, 0
        self.count += 1
        Gpu.place(self, sm, k)

    def ended(self):
        self.setup()


# Release, priorities, streams, waiting

class one_by_one(Gpu):
    """The blocks of a release leave one after the other, kernel by kernel and by their numbers, and each lets waiting
    ones in before the next leaves."""

    def setup(self):
        self.leaving = []

    def free(self, k, b):
        self.leaving.append((k, b))

    def released(self):
        for k in dict.fromkeys(k for k, b in self.leaving):
            for b in sorted({b for e, b in self.leaving if e is k}):
                Gpu.free(self, k, b)
                self.dispatch()
                joins = None
                while joins != self.joins:
                    joins = self.joins
                    self.join()
                    self.dispatch()
        self.leaving = []

    def ended(self):
        for k, b in self.leaving:
            Gpu.free(self, k, b)
        self.leaving = []


class in_order_release(Gpu):
    """What a block held on an SM comes back when the blocks that came to the SM before it have left, too."""

    def setup(self):
        self.left = {}

    def free(self, k, b):
        sm = k.resident[b][0]
        self.left[k, b] = k.resident.pop(b)
        while sm.blocks and sm.blocks[0] in self.left:
            e, first = sm.blocks[0]
            e.resident[first] = self.left.pop((e, first))
            Gpu.free(self, e, first)


class registers_with_the_last(Gpu):
    """The registers of blocks that left come back to an SM when it holds no block of their kernel any more."""

    def setup(self):
        self.kept = {}

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        Gpu.free(self, k, b)
        kept = self.kept.setdefault((sm, k), [0] * 4)
        for q in subs:
            sm.regs[q] -= k.rw
            kept[q] += k.rw
        if not own(sm, k):
            sm.regs = [free + n for free, n in zip(sm.regs, self.kept.pop((sm, k)))]


class resumes_by_fours(Gpu):
    """A kernel whose next block fitted nowhere goes on when it fits on four SMs, on as many as it has blocks left, or
    when the device is idle."""

    def candidates(self):
        for k in self.queue()[:1]:
            n = sum(self.fits(sm, k) for sm in self.sms)
            k.stuck = n < (min(4, k.blocks - k.placed) if getattr(k, 'stuck', False) else 1) and not self.idle()
            return [] if k.stuck else [k]
        return []


class aging(Gpu):
    """The priority of a queued kernel gets better by one at each release."""

    def queue_key(self, k):
        return (k.priority - getattr(k, 'age', 0), k.joined)

    def released(self):
        for k in self.queue():
            k.age = getattr(k, 'age', 0) + 1


class sms_kept_for_urgent(Gpu):
    """From the time when a kernel of a priority below 0 joined until the device is idle, SMs 20 to 23 take only such
    kernels."""

    def setup(self):
        self.keeps = False

    def slot_free(self, sm, k):
        return sm.slots > 0 and (not self.keeps or k.priority < 0 or sm.n < 20)

    def join(self):
        before = self.joins
        Gpu.join(self)
        if any(k.joined and k.joined > before and k.priority < 0 for k in self.kernels):
            self.keeps = True

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.keeps = False


class dependents_start_early(Gpu):
    """A kernel joins as soon as all blocks of the earlier ones in its stream have started."""

    def join(self):
        for i, k in enumerate(self.launched):
            running = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched)
            if (k.joined is None and running < DEV['max_resident_kernels']
                    and all(e.placed == e.blocks for e in self.launched[:i] if e.stream == k.stream)):
                self.joins += 1
                k.joined = self.joins


class backfill(Gpu):
    """While the first kernel waits, the SM with the fewest warps is kept for it, and those behind it are tried on all
    others."""

    def candidates(self):
        q = self.queue()
        self.first = q[0] if q else None
        self.kept = min(self.sms, key=lambda sm: (warps_on(sm), self.order[sm.n]))
        return q

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k is self.first or sm is not self.kept)


class idle_sleeps(Gpu):
    """An SM that a release leaves idle while others are busy sleeps, until nothing awake can take a block and it is
    chosen, or the device is idle."""

    def setup(self):
        self.asleep = set()

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.asleep.add(sm)

    def released(self):
        if self.idle():
            self.asleep.clear()

    ended = released

    def choose(self, fit, k):
        sm = Gpu.choose(self, [sm for sm in fit if sm not in self.asleep] or fit, k)
        self.asleep.discard(sm)
        return sm


if __name__ == '__main__':
    main(__name__)
