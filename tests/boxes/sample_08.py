#!/usr/bin/env python3
"""An eighth sample of black boxes by somebody who did not know what a formula can say, nor how cuvier asks: Algorithm 1
but for one thing. Eight give out an SM otherwise, eight are of narrow circumstances, eight remember. Run as foreign.py:

    sample_08.py                          lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_08.py third_hole_is_lost' --out DIR
"""
from foreign import *

N = DEV['sms']


# What an SM gives out

class opt_in_on_4k(Gpu):
    """A block of more than 48 KiB of dynamic shared memory begins at a multiple of 4 KiB (room does not know it)."""

    def start(self, sm, k, config):
        grain = 4096 if k.shared > 49152 else 128
        return next((up(a, grain) for a, b in self.gaps(sm, config) if up(a, grain) + k.s <= b), None)

    def shared_fit(self, sm, k):
        return self.gate(sm, k) and self.start(sm, k, self.config(sm, k)) is not None

    def interval(self, sm, k):
        return self.start(sm, k, sm.config)


class holes_join_downwards(Gpu):
    """Shared memory that a block gives back joins the free space right before it and the free end of the SM's, but no
    hole right behind it (until both are part of the free end)."""

    def setup(self):
        self.seams = [set() for _ in range(N)]

    def gaps(self, sm, config):
        free = Gpu.gaps(self, sm, config)
        cuts = [[a, *sorted(x for x in self.seams[sm.n] if a < x < b), b] for a, b in free]
        return [piece for c in cuts for piece in zip(c, c[1:])]

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.seams[sm.n].discard(sm.used[-1][0])

    def free_shared(self, sm, hold):
        sm.used.remove(hold)
        if all(a != hold[1] for a, b in sm.used):
            self.seams[sm.n].add(hold[1])
        self.seams[sm.n] = {x for x in self.seams[sm.n] if x < max((b for a, b in sm.used), default=0)}


class search_begins_at_the_latest_hole(Gpu):
    """The search for free shared memory begins at the interval where a block last gave some back, and goes round."""

    def setup(self):
        self.at = [0] * N

    def interval(self, sm, k):
        return min((b <= self.at[sm.n], a) for a, b in self.gaps(sm, sm.config) if b - a >= k.s)[1]

    def free_shared(self, sm, hold):
        Gpu.free_shared(self, sm, hold)
        self.at[sm.n] = hold[0]


class remainder_given_along(Gpu):
    """Where a block would leave less than 4 KiB of a hole between two others, it gets the whole hole, and holds it."""

    def setup(self):
        self.along = [{} for _ in range(N)]

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        hold = sm.used[-1]
        behind = min((a for a, b in sm.used if a >= hold[1]), default=hold[1])
        if 0 < behind - hold[1] < 4096:
            self.along[sm.n][hold] = (hold[1], behind)
            sm.used.append((hold[1], behind))

    def free_shared(self, sm, hold):
        sm.used.remove(hold)
        if hold in self.along[sm.n]:
            sm.used.remove(self.along[sm.n].pop(hold))


class holes_by_size_class(Gpu):
    """Free shared memory is listed by size class (1 to 2 KiB, 2 to 4 KiB, ...), least class first, then by address."""

    def interval(self, sm, k):
        return min(((b - a).bit_length(), a) for a, b in self.gaps(sm, sm.config) if b - a >= k.s)[1]


class third_hole_is_lost(Gpu):
    """An SM knows its shared memory's free end and two holes; what would be a third is lost until the SM is idle."""

    def free_shared(self, sm, hold):
        sm.used.remove(hold)
        if sum(b < sm.config for a, b in self.gaps(sm, sm.config)) > 2:
            sm.used.append(hold)

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        sm.used.clear()


class large_warps_in_one_piece(Gpu):
    """A warp of more than 128 registers a thread needs them in one piece of its subpartition's file (the lowest that
    suffices); other warps take any free ones, the lowest first. Room knows it."""

    def setup(self):
        self.file = {(n, q): set(range(DEV['registers_per_sm'] // 1024)) for n in range(N) for q in range(4)}
        self.held = {}

    def pieces(self, sm, q, k):
        """What free registers the warps of such blocks would get, one after the other."""
        size, pieces = k.rw // 256, [[]]
        for u in sorted(self.file[sm.n, q]):
            if len(pieces[-1]) == size or (k.registers > 128 and u - 1 not in pieces[-1]):
                pieces.append([])
            pieces[-1].append(u)
        return [p for p in pieces if len(p) == size]

    def c(self, sm, k):
        return [min(sm.warps[q], len(self.pieces(sm, q, k))) for q in range(4)]

    def place(self, sm, k):
        for q in [self.sub(sm, k, i) for i in range(k.w)]:
            piece = self.pieces(sm, q, k)[0]
            self.file[sm.n, q].difference_update(piece)
            self.held.setdefault((k, k.placed), []).append((self.file[sm.n, q], piece))
        Gpu.place(self, sm, k)

    def free(self, k, b):
        for file, piece in self.held.pop((k, b)):
            file.update(piece)
        Gpu.free(self, k, b)


class whole_rows(Gpu):
    """A row is one of the twelve warp slots of each subpartition. A block of 4, 8, 12, ... warps takes the lowest whole
    rows; of other blocks each warp takes its subpartition's lowest free slot. Room does not know it."""

    def setup(self):
        self.rows = [[set(range(DEV['max_warps_per_sm'] // 4)) for _ in range(4)] for _ in range(N)]
        self.held = {}

    def whole(self, sm):
        return sorted(set.intersection(*self.rows[sm.n]))

    def warps_fit(self, sm, k):
        return Gpu.warps_fit(self, sm, k) and (k.w % 4 > 0 or len(self.whole(sm)) >= k.w // 4)

    def place(self, sm, k):
        subs, whole = [self.sub(sm, k, i) for i in range(k.w)], self.whole(sm)
        for q, free in enumerate(self.rows[sm.n]):
            mine = (sorted(free) if k.w % 4 else whole)[:subs.count(q)]
            free.difference_update(mine)
            self.held.setdefault((k, k.placed), []).append((free, mine))
        Gpu.place(self, sm, k)

    def free(self, k, b):
        for free, mine in self.held.pop((k, b)):
            free.update(mine)
        Gpu.free(self, k, b)


# Of narrow circumstances

class third_of_a_stream(Gpu):
    """From the third kernel of a stream on, while blocks of another kernel are resident, ties go to the last SM in the
    order."""

    def key(self, sm, k):
        a, b = self.order[sm.n]
        third = sum(e.stream == k.stream for e in self.launched[:self.launched.index(k)]) >= 2
        beside = any(e.resident for e in self.launched if e is not k)
        return (-self.room(sm, k), (-a, -b) if third and beside else (a, b))


class fits_exactly_beside_others(Gpu):
    """A kernel of just as many blocks as the SMs have room for at its first pick, while others are resident, fills one
    SM after the other, in their order."""

    def choose(self, fit, k):
        if k.placed == 0:
            k.exact = not self.idle() and sum(self.room(sm, k) for sm in fit) == k.blocks
        return min(fit, key=lambda sm: self.order[sm.n]) if k.exact else Gpu.choose(self, fit, k)


class keeps_off_stragglers(Gpu):
    """Of most room, SMs come last that hold a block of a kernel of which more than half has exited."""

    def key(self, sm, k):
        late = any(e.placed == e.blocks > 2 * len(e.resident) for e, b in sm.blocks)
        return (-self.room(sm, k), late, self.order[sm.n])


class pointer_rolls_back(Gpu):
    """When the block that came to an SM last is the first to leave it again, the warp pointer goes back to where that
    one's warps began."""

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        youngest = sm.blocks[-1] == (k, b)
        Gpu.free(self, k, b)
        if youngest and sm.blocks:
            sm.p = subs[0]


class last_idle_sm_not_for_singles(Gpu):
    """A kernel of one block does not get the last idle SM, unless it fits nowhere else."""

    def choose(self, fit, k):
        if k.blocks == 1 and sum(not sm.blocks for sm in self.sms) == 1:
            fit = [sm for sm in fit if sm.blocks] or fit
        return Gpu.choose(self, fit, k)


class six_kernels_on_a_tpc(Gpu):
    """A TPC has six sets of constants: it takes no block of a seventh kernel."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and len({id(e) for s in self.domain(sm) for e, b in s.blocks} | {id(k)}) <= 6


class head_latched_if_two_wait(Gpu):
    """A kernel that joins while two or more wait does not overtake the first of these, whatever its priority."""

    def queue_key(self, k):
        return (not hasattr(k, 'latched'), k.priority, k.joined)

    def join(self):
        before, waiting = self.joins, self.queue()
        Gpu.join(self)
        if self.joins > before and len(waiting) >= 2:
            waiting[0].latched = True


class waiter_begins_first_fit(Gpu):
    """The first block of a kernel that had to wait at the head of the queue goes to the first SM in the order that can
    have it."""

    def dispatch(self):
        Gpu.dispatch(self)
        for k in self.queue()[:1]:
            k.waited = True

    def key(self, sm, k):
        return (-self.room(sm, k) if k.placed or not hasattr(k, 'waited') else 0, self.order[sm.n])


# With a memory

class once_full_comes_last(Gpu):
    """Of most room, SMs come last of which all block slots were held at some time of the session."""

    def setup(self):
        self.full = set()

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        if sm.slots == 0:
            self.full.add(sm.n)

    def key(self, sm, k):
        return (-self.room(sm, k), sm.n in self.full, self.order[sm.n])


class local_given_back(Gpu):
    """When an eighth kernel without local memory begins on an idle device since a block with some was placed, the
    configuration is 0 again."""
    without = 0

    def local_waits(self, k):
        self.without += self.idle() and k.local == 0
        if self.without == 8:
            self.local = 0
        return Gpu.local_waits(self, k)

    def place(self, sm, k):
        if k.local:
            self.without = 0
        Gpu.place(self, sm, k)


class carveout_habit(Gpu):
    """A TPC that was idle and took the largest configuration four times in a row takes it a fifth time, whatever the
    block prefers; then it counts anew (also from probe to probe)."""

    def setup(self):
        self.row = [0] * N

    def config(self, sm, k):
        if not self.domain_idle(sm):
            return sm.config
        return DEV['shared_configs'][-1] if self.row[self.tpc[sm.n]] >= 4 else self.preferred(k)

    def place(self, sm, k):
        config, t, wants = self.config(sm, k), self.tpc[sm.n], self.preferred(k) == DEV['shared_configs'][-1]
        if self.domain_idle(sm):
            self.row[t] = self.row[t] + 1 if wants and self.row[t] < 4 else 0
        Gpu.place(self, sm, k)
        for s in self.domain(sm):
            s.config = config


class drained_after_ten_exits(Gpu):
    """An SM that ten blocks have left since it was idle takes no more until it is idle."""

    def setup(self):
        self.left = [0] * N

    def slot_free(self, sm, k):
        return sm.slots > 0 and self.left[sm.n] < 10

    def free(self, k, b):
        self.left[k.resident[b][0].n] += 1
        Gpu.free(self, k, b)

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.left[sm.n] = 0


class overtaken_twice_at_most(Gpu):
    """A kernel in the queue is overtaken by two more urgent ones; a third has to join behind it."""

    def setup(self):
        self.line = []

    def queue(self):
        return [k for k in self.line if k.placed < k.blocks]

    def join(self):
        before = self.joins
        Gpu.join(self)
        for k in sorted((k for k in self.launched if (k.joined or 0) > before), key=lambda k: k.joined):
            self.line, k.overtaken = self.queue(), 0
            i = len(self.line)
            while i and self.line[i - 1].priority > k.priority and self.line[i - 1].overtaken < 2:
                i -= 1
                self.line[i].overtaken += 1
            self.line.insert(i, k)


class eight_pending_entries(Gpu):
    """The queue has eight entries, in which the most urgent kernel goes first; further kernels get an entry in the
    order of joining, as soon as one is free, whatever their priority."""

    def queue(self):
        return sorted(sorted(Gpu.queue(self), key=lambda k: k.joined)[:8], key=self.queue_key)


class emptied_at_once_comes_last(Gpu):
    """Of most room, SMs come last that eight blocks or more have left with one release, and which have been idle since;
    forgotten when the device is idle."""

    def setup(self):
        self.gone, self.emptied = [0] * N, set()

    ended = setup

    def key(self, sm, k):
        return (-self.room(sm, k), sm.n in self.emptied, self.order[sm.n])

    def free(self, k, b):
        self.gone[k.resident[b][0].n] += 1
        Gpu.free(self, k, b)

    def released(self):
        emptied = {sm.n for sm in self.sms if self.gone[sm.n] >= 8 and not sm.blocks}
        self.gone, self.emptied = [0] * N, set() if self.idle() else self.emptied | emptied

    def place(self, sm, k):
        self.emptied.discard(sm.n)
        Gpu.place(self, sm, k)


class stream_is_compensated(waiter_begins_first_fit):
    """A kernel whose predecessor in its stream had to wait at the head of the queue goes before others of its
    priority."""
    key = Gpu.key

    def queue_key(self, k):
        before = [e for e in self.launched[:self.launched.index(k)] if e.stream == k.stream]
        return (k.priority, not (before and hasattr(before[-1], 'waited')), k.joined)


if __name__ == '__main__':
    main(__name__)
