#!/usr/bin/env python3
"""A fourteenth sample of black boxes by somebody who did not know how cuvier asks: what a designer of hardware could
choose, on devices that cuvier knows and not on a small one. Eleven are a T4 and ten an RTX 3090, each foreign.py's
Algorithm 1 but for one thing (three of them for two), and three an H200, sample_05.py's ClusterGpu but for one.
Twelve say by which formulas of docs/reference/formulas.md they are known; of the others none is. Run as foreign.py:

    sample_14.py                      lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_14.py bit_turns_over' --out DIR
"""
from collections import Counter
from pathlib import Path

import sample_05
from sample_05 import ClusterGpu
from foreign import *
from sample_07 import Actions
from sample_12 import own, warps_on

DEVICES = Path(__file__).resolve().parents[2] / 'hypotheses' / 'devices'


class Known:
    """Has a box be one of cuvier's devices, all of which have TPCs of two SMs."""

    def __init__(self):
        DEV.clear()
        DEV.update(json.loads((DEVICES / f'{self.device}.json').read_text()))
        DEV.pop('note', None)
        gpcs = DEV.get('gpc_of_sm', [])
        sample_05.GPC, sample_05.N = gpcs, len(gpcs)
        sample_05.SIZE = {gpc: gpcs.count(gpc) for gpc in gpcs}
        super().__init__()

    def domain(self, sm):
        return self.sms[sm.n // 2 * 2:][:2]

    def rank(self, sm):
        """The SM's place in the order of ties."""
        return sm.n % 2 * DEV['sms'] // 2 + sm.n // 2


class T4(Known):
    device = 't4'


class Rtx3090(Known):
    device = 'rtx3090'


class H200(Known):
    device = 'h200'


# Formulas

class shorter_rest_passes(T4, Gpu):
    """A kernel that has fewer blocks left than the head passes it while it waits. Formula: queue=left < head_left."""

    def candidates(self):
        q = self.queue()
        return q[:1] + [k for k in q[1:] if k.blocks - k.placed < q[0].blocks - q[0].placed]


class starvation_timer(T4, Actions, Gpu):
    """A kernel that is still queued at the second launch or release since it joined comes before all that are not so,
    whatever the priorities. Formula: priority=(waited < 2 ? 1 : 0, priority, joined)."""
    now = 0

    def action(self):
        self.now += 1

    def queue_key(self, k):
        k.since = getattr(k, 'since', self.now)
        return (self.now - k.since < 2, k.priority, k.joined)


class overtaken_by_two_levels(T4, Gpu):
    """The kernel that got the latest block counts as one level more urgent, and is the first of equals: only who is
    more urgent by two overtakes it. Formula: priority=(priority - (streak > 0 ? 1 : 0), streak > 0 ? 0 : 1, joined)."""
    latest = None

    def queue_key(self, k):
        return (k.priority - (k is self.latest), k is not self.latest, k.joined)

    def place(self, sm, k):
        self.latest = k
        Gpu.place(self, sm, k)


class launch_port_rests(Rtx3090, Gpu):
    """The three SMs that were chosen latest come last, whatever the rooms; forgotten when the device is idle. Formula:
    selection=(since < 3 ? 1 : 0, -room)."""

    def choose(self, fit, k):
        if self.idle():
            self.latest = []
        sm = min(fit, key=lambda sm: (sm in self.latest, self.key(sm, k)))
        self.latest = [sm] + [s for s in self.latest if s is not sm][:2]
        return sm


class bit_turns_over(Rtx3090, Gpu):
    """Each SM has a bit that turns over with every block that comes to it, and is 0 on an idle device; SMs whose bit is
    0 come first, whatever the rooms. Formula: mark=chosen == 1 ? 1 - mark : mark, selection=(mark, -room)."""

    def choose(self, fit, k):
        if self.idle():
            self.bit = [0] * DEV['sms']
        sm = min(fit, key=lambda sm: (self.bit[sm.n], self.key(sm, k)))
        self.bit[sm.n] ^= 1
        return sm


class quads_in_turn_while_half_empty(T4, Gpu):
    """Groups of four SMs come in turn, but those last more than half of whose warp slots are held; in a group, most
    room. Formula: hierarchy=sm / 4, group_selection=(warps > 16 * sms ? 1 : 0, turn)."""

    def choose(self, fit, k):
        if self.idle():
            self.at = 0

        def key(group):
            held = sum(map(warps_on, self.sms[group * 4:group * 4 + 4]))
            return (held > 2 * DEV['max_warps_per_sm'], (group - self.at) % (DEV['sms'] // 4))

        group = min({sm.n // 4 for sm in fit}, key=key)
        self.at = group + 1
        return Gpu.choose(self, [sm for sm in fit if sm.n // 4 == group], k)


class spreads_from_the_first_block(Rtx3090, Gpu):
    """Of most room the SM whose number is nearest, round the ring of all SMs, to that of the SM of the kernel's first
    block. Formula: selection=(-room, min((sm - home) mod sms, (home - sm) mod sms))."""

    def key(self, sm, k):
        on = (sm.n - k.home) % DEV['sms'] if k.placed else 0
        return (-self.room(sm, k), min(on, DEV['sms'] - on), self.order[sm.n])

    def place(self, sm, k):
        if not k.placed:
            k.home = sm.n
        Gpu.place(self, sm, k)


class as_many_again(Rtx3090, Gpu):
    """A pick places as many blocks as the SM holds already, but one at least and four at most. Formula:
    batch_size=min(max(resident, 1), 4)."""

    def choose(self, fit, k):
        sm = Gpu.choose(self, fit, k)
        self.many = min(max(len(sm.blocks), 1), 4)
        return sm

    def batch(self, k):
        return self.many


class never_begins_at_3(Rtx3090, Gpu):
    """A warp pointer that would come to subpartition 3 goes on to 0. Formula: pointer_skip=
    (next + (w mod 4 == 0 ? 1 : 0)) mod 4 == 3 ? 0 : next + (w mod 4 == 0 ? 1 : 0)."""

    def skip(self, sm, k):
        on = Gpu.skip(self, sm, k)
        return on + ((sm.p + k.w + on) % 4 == 3)


class half_full_gpcs_last(H200, ClusterGpu):
    """GPCs more than half of whose warp slots are held come behind the others when a cluster's turn is asked. Formula:
    cluster_gpc=(warps > 32 * sms ? 1 : 0, turn)."""

    def turns(self, k):
        return sorted(ClusterGpu.turns(self, k),
                      key=lambda gpc: sum(map(warps_on, self.of(gpc))) > 32 * len(self.of(gpc)))


class eight_on_tpc_7_and_local_doubles(T4, Gpu):
    """Two: the SMs of TPC 7 hold eight blocks at most, together; and a kernel that needs no more than twice the local
    memory that is configured does not wait for it, but has it grow. Formula: admission=sm / 2 != 7 or tpc_blocks < 8,
    local_memory=local > 2 * grown."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (sm.n // 2 != 7 or sum(len(s.blocks) for s in self.domain(sm)) < 8)

    def local_waits(self, k):
        if self.idle() or k.local <= 2 * self.local:
            self.local = max(self.local, k.local)
            return False
        return True


class two_beside_the_urgent_and_narrow_ones_join(Rtx3090, Gpu):
    """Two: while a more urgent block is resident anywhere, a kernel gets no more than two of its own on an SM; and
    blocks of up to four warps join a busy TPC whatever configuration they prefer. Formula:
    admission=priority <= device_urgent or own < 2, config_gate=w <= 4 or preferred <= current."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (own(sm, k) < 2 or all(k.priority <= b[0].priority for s in self.sms for b in s.blocks))

    def gate(self, sm, k):
        return k.w <= 4 or Gpu.gate(self, sm, k)


# No formulas

class two_rings_by_width(T4, Gpu):
    """Kernels of up to four warps a block and wider ones wait in two rings. Of the most urgent priority the first of
    each ring are tried, that of the ring first which did not get the latest block (narrow ones at first)."""
    latest = True   # whether the latest block was of a wide kernel

    def candidates(self):
        q = self.queue()
        top = [k for k in q if k.priority == q[0].priority]
        rings = [[k for k in top if (k.w > 4) == wide] for wide in (not self.latest, self.latest)]
        return [ring[0] for ring in rings if ring]

    def place(self, sm, k):
        self.latest = k.w > 4
        Gpu.place(self, sm, k)


class four_launches_in_flight(T4, Actions, Gpu):
    """An SM is given four blocks at most between a launch or release and the next one; what is left waits for that."""

    def setup(self):
        self.given = Counter()

    action = setup

    def slot_free(self, sm, k):
        return sm.slots > 0 and self.given[sm] < 4

    def place(self, sm, k):
        self.given[sm] += 1
        Gpu.place(self, sm, k)


class probation_and_half_rooms(Rtx3090, Actions, Gpu):
    """Two: a kernel that begins while others are resident gets one block on each SM until the next launch or release;
    and an SM of whose registers more than half are held counts with half of its room, rounded down."""

    def action(self):
        for k in self.kernels:
            k.trial = False

    def place(self, sm, k):
        k.trial = k.trial if k.placed else not self.idle()
        Gpu.place(self, sm, k)

    def slot_free(self, sm, k):
        return sm.slots > 0 and not (k.placed and k.trial and own(sm, k))

    def key(self, sm, k):
        held = sum(b[0].rw * b[0].w for b in sm.blocks)
        room = self.room(sm, k)
        return (-(room // 2 if 2 * held > DEV['registers_per_sm'] else room), self.order[sm.n])


class packs_after_refusals(T4, Gpu):
    """A two-bit counter goes up whenever dispatching ends with a kernel queued, and down whenever it ends with none (it
    stays from 0 to 3, and lasts for the session); at 2 and 3 blocks go to the SM with the most warps."""
    counter = 0

    def dispatch(self):
        Gpu.dispatch(self)
        self.counter = min(max(self.counter + (1 if self.queue() else -1), 0), 3)

    def key(self, sm, k):
        return (-warps_on(sm) if self.counter >= 2 else -self.room(sm, k), self.order[sm.n])


class second_chance_hand(T4, Gpu):
    """A hand goes round the SMs, in their order, and stops behind the one that gets the block; an SM that a block has
    left is passed over once, though the block would fit. An idle device begins anew."""

    def setup(self):
        self.at, self.passed = 0, set()

    def choose(self, fit, k):
        if self.idle():
            self.setup()
        ring = sorted(self.sms, key=self.rank)
        while True:
            sm = ring[self.at]
            self.at = (self.at + 1) % len(ring)
            if sm in fit and sm not in self.passed:
                return sm
            self.passed.discard(sm)

    def free(self, k, b):
        self.passed.add(k.resident[b][0])
        Gpu.free(self, k, b)


class cursors_of_two_widths(Rtx3090, Gpu):
    """Of most room the first SM behind the one that the latest block of as many warps got. The two widths placed latest
    are remembered, another begins at the start of the order; an idle device forgets them."""

    def choose(self, fit, k):
        if self.idle():
            self.behind = {}
        at = self.behind.pop(k.w, 0)
        sm = min(fit, key=lambda sm: (-self.room(sm, k), (self.rank(sm) - at) % DEV['sms']))
        self.behind[k.w] = self.rank(sm) + 1
        for w in list(self.behind)[:-2]:
            del self.behind[w]
        return sm


class streams_begin_in_quarters(Rtx3090, Gpu):
    """For kernels in a probe's first, second and third named stream, by their first launches, ties begin one, two and
    three quarters further in the order, for the fourth at its start again; without a named stream at the start, too."""

    def choose(self, fit, k):
        named = list(dict.fromkeys(e.stream for e in self.launched if e.stream != (e.name,)))
        at = (named.index(k.stream) + 1) % 4 * DEV['sms'] // 4 if k.stream in named else 0
        return min(fit, key=lambda sm: (-self.room(sm, k), (self.rank(sm) - at) % DEV['sms']))


class confined_once_it_waited(T4, Gpu):
    """A kernel that had to wait at the head of the queue gets blocks only on SMs that hold one of its own from then on,
    unless there are none."""

    def dispatch(self):
        Gpu.dispatch(self)
        for k in self.queue()[:1]:
            k.waited = True

    def slot_free(self, sm, k):
        return sm.slots > 0 and (not hasattr(k, 'waited') or not k.resident or own(sm, k) > 0)


class tpc_reports_exits_in_pairs(T4, Gpu):
    """What a block held comes back with the next block that leaves its TPC, or when all blocks there have left; its
    kernel may be complete before that."""

    def setup(self):
        self.left = {}

    def free(self, k, b):
        sm = k.resident[b][0]
        self.left[k, b] = k.resident.pop(b)
        there = [block for s in self.domain(sm) for block in s.blocks]
        left = [block for block in there if block in self.left]
        if len(left) == min(2, len(there)):
            for e, n in left:
                e.resident[n] = self.left.pop((e, n))
                Gpu.free(self, e, n)


class room_hears_of_exits_late(Rtx3090, Gpu):
    """Of an SM's room as many blocks are subtracted as have left it with the latest release; forgotten when the device
    is idle."""

    def setup(self):
        self.left, self.over = Counter(), False

    def free(self, k, b):
        if self.over:
            self.setup()
        self.left[k.resident[b][0]] += 1
        Gpu.free(self, k, b)
        if self.idle():
            self.left.clear()

    def released(self):
        self.over = True

    def key(self, sm, k):
        return (self.left[sm] - self.room(sm, k), self.order[sm.n])

    ended = setup


class cluster_leaves_as_one(H200, ClusterGpu):
    """What the blocks of a cluster held comes back, and they count as complete, when the last one of them has left."""

    def setup(self):
        self.left = {}

    def free(self, k, b):
        first = b - b % max(self.size(k), 1)
        left = self.left.setdefault((k, first), set())
        left.add(b)
        if len(left) >= self.size(k):
            for n in sorted(self.left.pop((k, first))):
                ClusterGpu.free(self, k, n)


class clusters_on_aligned_places(H200, ClusterGpu):
    """The SMs of a GPC have places by their number, and a cluster of c blocks needs c places that follow each other
    from a multiple of c on, the lowest such on all of which a block fits."""

    def pick(self, gpc, k):
        sms, size = self.of(gpc), self.size(k)
        rows = [sms[at:at + size] for at in range(0, len(sms) - size + 1, size)]
        return next((row for row in rows if all(self.fits(sm, k) for sm in row)), [])


if __name__ == '__main__':
    main(__name__)
