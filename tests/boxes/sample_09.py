#!/usr/bin/env python3
"""A ninth sample of black boxes by somebody who did not know what a formula can say, nor how cuvier asks: Algorithm 1
but for one thing. Ten remember, ten are of narrow circumstances, four are simple. Run as foreign.py:

    sample_09.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_09.py dirty_l1_is_not_resized' --out DIR
"""
from foreign import *

N = DEV['sms']
LARGEST = DEV['shared_configs'][-1]


class Counted:
    """Counts launches and releases (blocks that leave together see the same number), and when an SM became idle."""
    now = known = 0

    def setup(self):
        self.left = [0] * N

    def sm_idle(self, sm):
        super().sm_idle(sm)
        self.left[sm.n] = self.now

    def released(self):
        self.now += 1

    def join(self):
        if len(self.launched) > self.known:
            self.known = len(self.launched)
            self.now += 1
        super().join()

    def ended(self):
        self.now, self.known = self.now + 1, 0


class Carveout:
    """For boxes in which an idle TPC takes another configuration than what the block prefers."""

    def place(self, sm, k):
        config = self.config(sm, k)
        super().place(sm, k)
        for s in self.domain(sm):
            s.config = config


# With a memory

class asleep_after_six(Counted, Gpu):
    """Of most room, SMs come last that have been idle through six launches and releases (while the device was busy)."""

    def place(self, sm, k):
        if self.idle():
            self.left = [self.now - 1] * N
        Gpu.place(self, sm, k)

    def key(self, sm, k):
        asleep = not sm.blocks and not self.idle() and self.now - self.left[sm.n] > 7
        return (-self.room(sm, k), asleep, self.order[sm.n])


class carveout_kept_if_odd_left_last(Counted, Carveout, Gpu):
    """An idle TPC whose odd SM became idle with a later release than its even one keeps its configuration, if that is
    not less than what the block prefers."""

    def config(self, sm, k):
        even, odd = self.domain(sm)
        keeps = self.domain_idle(sm) and self.left[odd.n] > self.left[even.n]
        return max(sm.config, self.preferred(k)) if keeps else Gpu.config(self, sm, k)


class urgent_place_is_refilled(Gpu):
    """The first block placed after blocks of a priority below 0 have left goes to an SM that they left, if it fits
    there, whatever the rooms; forgotten when the device is idle."""

    def setup(self):
        self.hot = set()

    def free(self, k, b):
        if k.priority < 0:
            self.hot.add(k.resident[b][0].n)
        Gpu.free(self, k, b)
        if self.idle():
            self.hot.clear()

    def choose(self, fit, k):
        fit = [sm for sm in fit if sm.n in self.hot] or fit
        self.hot.clear()
        return Gpu.choose(self, fit, k)


class spilling_shared_users_alternate(Gpu):
    """Every other kernel with both local and dynamic shared memory, counted as they begin since the device was idle,
    breaks ties from the end of the order."""
    count = 0

    def choose(self, fit, k):
        if k.placed == 0:
            both = k.local > 0 and k.shared > 0
            self.count = (0 if self.idle() else self.count) + both
            k.back = both and self.count % 2 == 0
        return Gpu.choose(self, fit, k)

    def key(self, sm, k):
        a, b = self.order[sm.n]
        return (-self.room(sm, k), (-a, -b) if k.back else (a, b))


class patience_of_three(Gpu):
    """A head that three releases in a row have not helped is let in by space alone, whatever carve-out it prefers."""
    fresh = False

    def released(self):
        self.fresh = True

    def dispatch(self):
        head = self.queue()[:1]
        before = [k.placed for k in head]
        Gpu.dispatch(self)
        for k in head if self.fresh else []:
            k.vain = getattr(k, 'vain', 0) + 1 if [k.placed] == before else 0
        self.fresh = False

    def gate(self, sm, k):
        return getattr(k, 'vain', 0) >= 3 or Gpu.gate(self, sm, k)


class spilled_queue_is_a_stack(Gpu):
    """A kernel that joins while eight others wait, or spilled ones do, is spilled to memory: of one priority such
    kernels go behind the others, the latest first."""

    def join(self):
        before, waiting = self.joins, self.queue()
        Gpu.join(self)
        for k in self.launched:
            if (k.joined or 0) > before:
                k.spilled = len(waiting) >= 8 or any(e.spilled for e in waiting)

    def queue_key(self, k):
        spilled = getattr(k, 'spilled', False)
        return (k.priority, spilled, -k.joined if spilled else k.joined)


class five_kernels_gone(Gpu):
    """An SM that five kernels have left (with their last block there) since it was idle takes no kernel that it does
    not hold, until it is idle."""

    def setup(self):
        self.gone = [0] * N

    def slot_free(self, sm, k):
        return sm.slots > 0 and (self.gone[sm.n] < 5 or any(b[0] is k for b in sm.blocks))

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        self.gone[sm.n] = 0 if not sm.blocks else self.gone[sm.n] + all(e is not k for e, _ in sm.blocks)


class stream_remembers_its_carveout(Gpu):
    """A kernel prefers no smaller configuration than those launched before it in its stream."""

    def preferred(self, k):
        earlier = self.launched[:self.launched.index(k)]
        return max(Gpu.preferred(self, e) for e in earlier + [k] if e.stream == k.stream)


class dirty_l1_is_not_resized(Carveout, Gpu):
    """An idle TPC whose latest block had local memory keeps its configuration, if that is not too small."""

    def setup(self):
        self.dirty = [False] * N

    def config(self, sm, k):
        dirty = self.domain_idle(sm) and self.dirty[self.tpc[sm.n]]
        return max(sm.config, self.preferred(k)) if dirty else Gpu.config(self, sm, k)

    def place(self, sm, k):
        Carveout.place(self, sm, k)
        self.dirty[self.tpc[sm.n]] = k.local > 0


class last_left_comes_last(Counted, Gpu):
    """Of most room, SMs come last that the kernel before it in its stream left with its last release, if it left in
    three or more."""

    def free(self, k, b):
        vars(k).setdefault('exits', {}).setdefault(self.now, set()).add(k.resident[b][0].n)
        Gpu.free(self, k, b)

    def key(self, sm, k):
        before = [e for e in self.launched[:self.launched.index(k)] if e.stream == k.stream]
        exits = getattr(before[-1], 'exits', {}) if before else {}
        return (-self.room(sm, k), len(exits) >= 3 and sm.n in exits[max(exits)], self.order[sm.n])


# Of narrow circumstances

class interrupted_resumes_from_the_end(Gpu):
    """A kernel that is half placed when a more urgent one joins breaks ties from the order's end from then on."""

    def join(self):
        before, waiting = self.joins, self.queue()
        Gpu.join(self)
        new = [k.priority for k in self.launched if (k.joined or 0) > before]
        for e in waiting:
            e.cut = getattr(e, 'cut', False) or e.placed > 0 and e.priority > min(new, default=e.priority)

    def key(self, sm, k):
        a, b = self.order[sm.n]
        return (-self.room(sm, k), (-a, -b) if getattr(k, 'cut', False) else (a, b))


class completion_hides_other_exits(Gpu):
    """When a release completes one kernel and lets blocks of another exit that goes on, SMs that only the latter left
    are offered again with the next release, or when the device is idle."""

    def setup(self):
        self.hidden, self.exits = set(), []

    ended = setup

    def free(self, k, b):
        self.exits.append((k, k.resident[b][0].n))
        Gpu.free(self, k, b)

    def released(self):
        done = {n for k, n in self.exits if not k.is_incomplete()}
        on = {n for k, n in self.exits if k.is_incomplete()}
        self.hidden, self.exits = on - done if done and not self.idle() else set(), []

    def slot_free(self, sm, k):
        return sm.slots > 0 and (sm.n not in self.hidden or self.idle())


class one_block_left_is_none(Gpu):
    """A kernel launched into a stream in which only one block, the last of eight or more of its kernel, has not exited
    begins at once."""

    def join(self):
        k = self.launched[-1]
        if not hasattr(k, 'early'):
            ahead = [e for e in self.launched[:-1] if e.stream == k.stream and e.is_incomplete()]
            k.early = [(e.placed == e.blocks >= 8, len(e.resident)) for e in ahead] == [(True, 1)]
        stream, k.stream = k.stream, (k.name, 'early') if k.early else k.stream
        Gpu.join(self)
        k.stream = stream


class sibling_waits_for_the_switch(Counted, Gpu):
    """Where a block of more than 24 warps widens the carve-out that an idle TPC had last (since the device was idle),
    the TPC's other SM takes no block until the next launch or release."""

    def setup(self):
        Counted.setup(self)
        self.rest = [-1] * N

    def slot_free(self, sm, k):
        return sm.slots > 0 and self.rest[sm.n] != self.now

    def place(self, sm, k):
        if self.idle():
            for s in self.sms:
                s.config = None
        if k.w > 24 and self.domain_idle(sm) and self.preferred(k) > (sm.config or LARGEST):
            for s in self.domain(sm):
                self.rest[s.n] = self.now if s is not sm else -1
        Gpu.place(self, sm, k)


class refused_by_preference_is_passed(Gpu):
    """A head for which some SM has slot, warps, registers and free shared memory, but none the configuration, is passed
    by the kernel right behind it, if that prefers a smaller one."""

    def candidates(self):
        q = self.queue()
        if len(q) < 2 or q[0].local > self.local or self.preferred(q[1]) >= self.preferred(q[0]):
            return q[:1]
        k = q[0]
        could = [sm for sm in self.sms if self.slot_free(sm, k) and self.warps_fit(sm, k) and
                 any(b - a >= k.s for a, b in self.gaps(sm, self.config(sm, k)))]
        return q[:2] if could and not any(self.gate(sm, k) for sm in could) else q[:1]


class one_too_many_goes_home(Gpu):
    """The last block of a grid of just one block more than there are SMs goes to the SM of the grid's first, if it fits
    there and other kernels were resident when the grid began."""

    def choose(self, fit, k):
        if k.blocks == N + 1 == k.placed + 1 and k.home in fit:
            return k.home
        sm = Gpu.choose(self, fit, k)
        if k.placed == 0:
            k.home = None if self.idle() else sm
        return sm


class last_block_before_a_successor(Gpu):
    """While a later kernel of its stream waits, a kernel's last block of several breaks ties from the order's end."""

    def key(self, sm, k):
        a, b = self.order[sm.n]
        awaited = any(e.stream == k.stream for e in self.launched[self.launched.index(k) + 1:])
        return (-self.room(sm, k), (-a, -b) if awaited and 0 < k.placed == k.blocks - 1 else (a, b))


class not_across_to_the_urgent(Gpu):
    """In a TPC whose SMs hold one kernel each, of different priorities, the less urgent one gets no place on the other
    SM as long as its block fits on any SM that is not so."""

    def across(self, sm, k):
        here = {e for e, b in sm.blocks}
        there = {e for s in self.domain(sm) if s is not sm for e, b in s.blocks}
        return there == {k} and len(here) == 1 and all(e.priority < k.priority for e in here)

    def choose(self, fit, k):
        return Gpu.choose(self, [sm for sm in fit if not self.across(sm, k)] or fit, k)


class scratch_moves_between_streams(Gpu):
    """A kernel with local memory whose predecessor in its stream had none waits while a block with local memory of
    another stream is resident."""

    def local_waits(self, k):
        if Gpu.local_waits(self, k):
            return True
        before = [e for e in self.launched[:self.launched.index(k)] if e.stream == k.stream]
        others = [e for e in self.launched if e.stream != k.stream and e.local and e.resident]
        return bool(k.local and before and before[-1].local == 0 and others)


class largest_kept_for_the_next(Gpu):
    """While one with dynamic shared memory waits behind, a kernel without avoids busy TPCs of the largest carve-out."""

    def choose(self, fit, k):
        if k.shared == 0 and any(e.shared for e in self.queue() if e is not k):
            fit = [sm for sm in fit if self.domain_idle(sm) or sm.config < LARGEST] or fit
        return Gpu.choose(self, fit, k)


# Simple

class urgent_regardless_of_carveout(Gpu):
    """Kernels of a priority below 0 are let in by space alone, whatever configuration they prefer."""

    def gate(self, sm, k):
        return k.priority < 0 or Gpu.gate(self, sm, k)


class half_warp_half_the_registers(Gpu):
    """A block's last warp takes half the registers if it has up to 16 threads (room and carve-out do not know it)."""

    def saved(self, k):
        return k.rw // 2 if 0 < k.threads % 32 <= 16 else 0

    def warps_fit(self, sm, k):
        warps, regs = sm.warps[:], sm.regs[:]
        for q in [self.sub(sm, k, i) for i in range(k.w)]:
            warps[q], regs[q] = warps[q] - 1, regs[q] - k.rw
        regs[q] += self.saved(k)
        return min(warps + regs) >= 0

    def place(self, sm, k):
        b = k.placed
        Gpu.place(self, sm, k)
        sm.regs[k.resident[b][1][-1]] += self.saved(k)

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        sm.regs[subs[-1]] -= self.saved(k)
        Gpu.free(self, k, b)


class opt_in_prefers_the_largest(Gpu):
    """A kernel of more than 48 KiB of dynamic shared memory prefers the largest configuration."""

    def preferred(self, k):
        return LARGEST if k.shared > 49152 else Gpu.preferred(self, k)


class four_priorities(Gpu):
    """There are four priorities: one below -3 counts as -3."""

    def queue_key(self, k):
        return (max(k.priority, -3), k.joined)


if __name__ == '__main__':
    main(__name__)
