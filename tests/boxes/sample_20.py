#!/usr/bin/env python3
"""A twentieth sample of black boxes, by somebody who did not know how cuvier asks: what each does shows only where an
ingredient is there that few probes have. Twenty are a T4 and three an RTX 3090, each foreign.py's Algorithm 1 but for
one thing (one of them for two), and five the small H200 of hopper_foreign.py but for one thing. Run as foreign.py is:

    sample_20.py                                lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_20.py oldest_block_decides' --out DIR
"""
from collections import Counter

from foreign import *
from sample_14 import T4, Rtx3090
from sample_07 import Actions
from sample_19 import Carveout
from hopper_foreign import *


# ---- easy

class level_pairs_and_a_little_more_local(T4, Gpu):
    """Two: priorities 0 and 1 are one level, -2 and -1 another, and so on; and a kernel that needs up to 256 bytes of
    local memory a thread more than there are does not wait, but has it grow. Formula: priority=(priority / 2, joined),
    local_memory=local > grown + 256."""

    def queue_key(self, k):
        return (k.priority // 2, k.joined)

    def local_waits(self, k):
        if not self.idle() and k.local > self.local + 256:
            return True
        self.local = max(self.local, k.local)
        return False


class shared_bound_from_the_end(T4, Gpu):
    """Ties of a kernel whose block takes more bytes of shared memory than registers go from the end of the order to its
    start. Formula: selection=(-room, bytes > registers * w * 32 ? -rank : rank)."""

    def key(self, sm, k):
        return (-self.room(sm, k), -self.rank(sm) if k.shared > k.registers * k.w * 32 else self.rank(sm))


class oldest_block_decides(T4, Gpu):
    """Of most room the SM whose oldest block came latest, and before these one that holds nothing. No formula."""

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        k.__dict__.setdefault('came', {})[k.placed - 1] = self.time

    def key(self, sm, k):
        oldest = sm.blocks[0][0].came[sm.blocks[0][1]] if sm.blocks else self.time + 1
        return (-self.room(sm, k), -oldest, self.order[sm.n])


class other_stream_begins_at_zero(T4, Gpu):
    """A block of another stream than the SM's latest block has its first warp in subpartition 0, and the pointer goes
    on from there; room does not know it. Forgotten with the probe. No formula (warp_placement reads no stream)."""

    def setup(self):
        self.latest = {}

    ended = setup

    def begin(self, sm, k):
        return sm.p if self.latest.get(sm.n, k.stream) == k.stream else 0

    def sub(self, sm, k, i):
        return (self.begin(sm, k) + i) % 4

    def move(self, sm, k):
        sm.p = self.begin(sm, k)
        Gpu.move(self, sm, k)
        self.latest[sm.n] = k.stream


class every_other_launch_without_skip(T4, Gpu):
    """Blocks of every other kernel launched in the session (the second, the fourth, ...) have the warp pointer never
    skip a subpartition. No formula."""

    def setup(self):
        self.earlier = 0

    def ended(self):
        self.earlier += len(self.launched)

    def skip(self, sm, k):
        return 0 if (self.earlier + self.launched.index(k)) % 2 else Gpu.skip(self, sm, k)


class pairs_when_crowded(T4, Gpu):
    """While the device holds six blocks or more for each SM, a pick places two. No formula (batch_size does not know
    the device's blocks)."""

    def batch(self, k):
        return 2 if sum(len(sm.blocks) for sm in self.sms) >= 6 * DEV['sms'] else 1


class levels_begin_apart(Rtx3090, Gpu):
    """For each level of priority ties begin eight SMs further in the order, the more urgent the further, up to level
    -5; from 5 on eight times five before it. Formula: selection=(-room, (rank + 8 * max(min(priority, 5), -5)) mod
    sms)."""

    def key(self, sm, k):
        return (-self.room(sm, k), (self.rank(sm) + 8 * max(min(k.priority, 5), -5)) % DEV['sms'])


class clusters_of_one_count_twice(HopperGpu):
    """A block that is a cluster by itself counts as two of the eight blocks of clusters that an SM holds; only the last
    place takes one, too. No formula (cluster_limit takes none)."""

    def clustered(self, sm, k):
        return sum(2 if self.size(b[0]) == 1 else self.size(b[0]) > 0 for b in sm.blocks)


class not_doubled_for_register_heavy_blocks(HopperGpu):
    """A kernel whose block has more bytes in registers than in dynamic shared memory, of which it has some, targets
    what it prefers. Formula: config_target=bytes > 0 and bytes < 128 * registers * w ? wanted : TWICE_THE_BLOCKS."""

    def target(self, k):
        return self.preferred(k) if 0 < k.shared < 128 * k.registers * k.w else HopperGpu.target(self, k)


# ---- medium

class five_in_the_queue_take_turns(T4, Gpu):
    """While five kernels or more of the most urgent priority are queued, the one of them is tried that has gone longest
    without a block, those first that never had one, as they joined. With fewer as ever. No formula."""

    def candidates(self):
        q = self.queue()
        top = [k for k in q if k.priority == q[0].priority]
        return [min(top, key=lambda k: (getattr(k, 'served', 0), k.joined))] if len(top) >= 5 else q[:1]

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        k.served = self.time


class growing_shared_begins_on_an_idle_tpc(T4, Gpu):
    """The first block of a kernel that asks for more shared memory than the one that began before it (in the session)
    only goes to a TPC that holds nothing. No formula."""
    before = 0

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (k.placed > 0 or k.shared <= self.before or self.domain_idle(sm))

    def place(self, sm, k):
        if not k.placed:
            self.before = k.shared
        Gpu.place(self, sm, k)


class launch_behind_a_release_begins_there(T4, Gpu):
    """Ties of a kernel that is launched directly behind a release begin behind the highest SM that this one let a block
    leave; of any other launch at the start of the order. No formula."""

    def setup(self):
        self.left, self.at = ([], 0)

    ended = setup

    def free(self, k, b):
        self.left.append(k.resident[b][0])
        Gpu.free(self, k, b)

    def released(self):
        self.at = max((sm.n, self.rank(sm) + 1) for sm in self.left)[1] if self.left else 0
        self.left = []

    def join(self):
        for k in self.launched:
            if not hasattr(k, 'begin'):
                k.begin, self.at = (self.at, 0)
        Gpu.join(self)

    def key(self, sm, k):
        return (-self.room(sm, k), (self.rank(sm) - k.begin) % DEV['sms'])


class hot_kernels_go_in_pairs(T4, Gpu):
    """From the eighth time on that a kernel of the very same shape (threads, registers, shared, local) begins in the
    session, a pick of it places two blocks. No formula."""

    def setup(self):
        self.begun = Counter()

    def shape(self, k):
        return (k.threads, k.registers, k.shared, k.local)

    def batch(self, k):
        return 2 if self.begun[self.shape(k)] + (k.placed == 0) >= 8 else 1

    def place(self, sm, k):
        self.begun[self.shape(k)] += k.placed == 0
        Gpu.place(self, sm, k)


class tpc_current_with_hysteresis(T4, Gpu):
    """A TPC of whose registers more than three quarters are held takes no block of more than 64 registers a thread
    until fewer than half are. No formula."""

    def setup(self):
        self.hot = set()

    def held(self, sm):
        return sum(DEV['registers_per_sm'] - sum(s.regs) for s in self.domain(sm)) / DEV['registers_per_sm'] / 2

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (k.registers <= 64 or sm.n // 2 not in self.hot)

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        if self.held(sm) > 3 / 4:
            self.hot.add(sm.n // 2)

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if self.held(sm) < 1 / 2:
            self.hot.discard(sm.n // 2)


class sm_17_reports_late(Actions, T4, Gpu):
    """What a block held on SM 17 comes back only with the next launch or release, before blocks are given out; its
    kernel may be complete before. All other SMs are as ever. No formula."""

    def setup(self):
        self.due, self.late = ([], [])

    def free(self, k, b):
        if k.resident[b][0].n == 17:
            self.late.append((k, b, k.resident.pop(b)))
        else:
            Gpu.free(self, k, b)

    def action(self):
        for k, b, held in self.due:
            k.resident[b] = held
            Gpu.free(self, k, b)
        self.due, self.late = (self.late, [])

    def ended(self):
        self.action()
        self.action()
        Actions.ended(self)


class waiting_head_yields(Actions, T4, Gpu):
    """A head of the queue that three launches or releases have found waiting there is passed by all those behind it, in
    their order, from the third of them on. No formula (queue does not know how long the head waits)."""

    def action(self):
        for k in self.queue()[:1]:
            k.found = getattr(k, 'found', 0) + 1

    def candidates(self):
        q = self.queue()
        return q if q and getattr(q[0], 'found', 0) >= 3 else q[:1]


class single_block_kernels_gather(T4, Gpu):
    """A kernel of a single block goes to the SM that holds the most blocks of such kernels, if any has one on which it
    fits; else, and all other kernels, by room. No formula."""

    def key(self, sm, k):
        kin = sum(b[0].blocks == 1 for b in sm.blocks) if k.blocks == 1 else 0
        return (-kin, -self.room(sm, k), self.order[sm.n])


class largest_carveout_only_from_an_idle_device(Carveout, Rtx3090, Gpu):
    """On a busy device an idle TPC takes 64 KiB where the kernel prefers 100, if a block fits into that. Formula:
    config_change=idle == 0 ? current : device_idle == 1 or bytes > 64512 ? target : min(target, 65536)."""

    def config(self, sm, k):
        config = Gpu.config(self, sm, k)
        return min(config, 65536) if self.domain_idle(sm) and not self.idle() and k.s <= 65536 else config


class second_cluster_is_mirrored(HopperGpu):
    """In a GPC that holds blocks of a cluster already the next one has its ranks the other way round: the first block
    on what would be the last one's SM. No formula."""

    def pick(self, gpc, k):
        found = HopperGpu.pick(self, gpc, k)
        mirrored = any(self.size(b[0]) for n in self.of[gpc] for b in self.sms[n].blocks)
        return (found[0], found[1][::-1]) if found and mirrored else found


class gpc_settles_before_clusters(HopperGpu):
    """A GPC of which an SM has become idle with a release takes no cluster before the next launch or release; single
    blocks it takes at once. No formula."""

    def pick(self, gpc, k):
        return None if any(n in self.left for n in self.of[gpc]) else HopperGpu.pick(self, gpc, k)


# ---- narrow

class partial_warp_beside_the_first(T4, Gpu):
    """The last warp of a block of up to four warps goes to the subpartition of the block's first one if its threads are
    not 32. The pointer moves as ever, and room does not know it. No formula (warp_placement reads no threads)."""

    def sub(self, sm, k, i):
        return sm.p if i == k.w - 1 and k.w <= 4 and k.threads % 32 else Gpu.sub(self, sm, k, i)


class median_of_three_priorities(T4, Gpu):
    """While kernels of just three different priorities are queued, the first of the middle one is tried; of two, of
    four and more as ever. No formula."""

    def candidates(self):
        q = self.queue()
        levels = sorted({k.priority for k in q})
        return [k for k in q if len(levels) != 3 or k.priority == levels[1]][:1]


class spilling_blocks_from_the_top(T4, Gpu):
    """A block with local memory gets the end of the last free interval of shared memory that suffices, others the
    beginning of the first. No formula (shared_placement reads no local memory)."""

    def interval(self, sm, k):
        if not k.local:
            return Gpu.interval(self, sm, k)
        return max(b for a, b in self.gaps(sm, sm.config) if b - a >= k.s) - k.s


class pointers_cleared_every_256(T4, Gpu):
    """An eight-bit counter of all blocks placed in the session has every SM's warp pointer go to 0 when it wraps, on
    SMs that hold blocks, too. No formula."""

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        if self.time % 256 == 0:
            for s in self.sms:
                s.p = 0


class join_numbers_in_three_bits(T4, Gpu):
    """Of one priority, kernels go by the number with which they joined the queue, of which three bits are kept: a ninth
    one goes before those of the first eight that still have blocks left, but for the first. Formula:
    priority=(priority, joined mod 8, joined)."""

    def queue_key(self, k):
        return (k.priority, (k.joined - 1) % 8, k.joined)


class three_named_streams_at_once(T4, Gpu):
    """A kernel of a named stream joins the queue only if its stream or fewer than three others have kernels that joined
    and are not complete. Kernels without one do not count, and join as ever. No formula."""

    def join(self):
        for i, k in enumerate(self.launched):
            running = [e for e in self.launched if e.joined is not None and e.is_incomplete()]
            named = {e.stream for e in running if e.stream != (e.name,)}
            behind = any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i])
            place = k.stream == (k.name,) or k.stream in named or len(named) < 3
            if k.joined is None and place and not behind and len(running) < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins


class block_numbers_in_ten_bits(Rtx3090, Gpu):
    """Ties of a kernel's blocks 1,024 to 2,047 go from the end of the order to its start, of the next 1,024 as ever,
    and so on. Formula: selection=(-room, placed / 1024 mod 2 == 0 ? rank : -rank)."""

    def key(self, sm, k):
        return (-self.room(sm, k), -self.rank(sm) if k.placed // 1024 % 2 else self.rank(sm))


class turns_wrap_after_16_clusters(HopperGpu):
    """With every sixteenth cluster of the session that is numbered, of whatever size and kernel, the turns of GPCs
    begin with the first of each kind again, once that pass is over. No formula."""

    def setup(self):
        self.clusters = 0

    def end_pass(self, k):
        before = self.clusters // 16
        self.clusters += len(k.round)
        HopperGpu.end_pass(self, k)
        if self.clusters // 16 > before:
            self.turn = {True: LONE[-1], False: WIDE[-1]}


if __name__ == '__main__':
    main(__name__)
