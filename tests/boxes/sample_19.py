#!/usr/bin/env python3
"""A nineteenth sample of black boxes, by somebody who did not know how cuvier asks: a third easy, a third medium, a
third narrow. Twenty are a T4 and three an RTX 3090, each foreign.py's Algorithm 1 but for one thing (two of them for
two), and five the small H200 of hopper_foreign.py but for one thing. Run as foreign.py is:

    sample_19.py                                lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_19.py checkerboard' --out DIR
"""
from collections import Counter

from foreign import *
from sample_14 import T4, Rtx3090
from sample_07 import Actions
from sample_12 import own, warps_on
from sample_18 import Measured
from hopper_foreign import *


class Carveout:
    """Has an idle TPC take the configuration that `config` says, and not what the kernel prefers."""

    def place(self, sm, k):
        config = self.config(sm, k)
        self.preferred = lambda k: config   # this is what Gpu.place sets
        super().place(sm, k)
        del self.preferred


# ---- easy

class checkerboard(T4, Gpu):
    """Power rails: ties go to one SM of each TPC first, the first SM of even TPCs and the second of odd ones, and then
    to the others. Formula: tie_break=((sm + tpc) mod 2, tpc)."""

    def setup(self):
        self.order = {sm: ((sm + sm // 2) % 2, sm // 2) for sm in self.order}


class edge_sms_count_double(T4, Gpu):
    """The SM with the fewest resident warps gets the block, but warps on the first and last eight SMs count twice (they
    are far from the memory). Formula: selection=sm < 8 or sm >= sms - 8 ? 2 * warps : warps."""

    def key(self, sm, k):
        return (warps_on(sm) * (1 if 8 <= sm.n < DEV['sms'] - 8 else 2), self.order[sm.n])


class begins_at_warps_dispatched(T4, Gpu):
    """The first SM that can take the block gets it, in the order of ties from the place on that is the number of warps
    given out so far (round and round). An idle device begins at the start. No formula."""

    def choose(self, fit, k):
        if self.idle():
            self.sent = 0
        at, self.sent = (self.sent, self.sent + k.w)
        return min(fit, key=lambda sm: (self.rank(sm) - at) % DEV['sms'])


class pointer_recoils(T4, Gpu):
    """The warp pointer goes back by as many subpartitions as the block has warps, and never skips one.
    Formula: pointer_skip=p - w."""

    def move(self, sm, k):
        sm.p = (sm.p - k.w) % 4


class oversized_grids_leave_one_place(T4, Gpu):
    """A grid of more blocks than an idle device holds has on each SM at most one block less than an idle SM holds of
    it (but one), so that others find a place. No formula (admission does not know occupancy)."""

    def slot_free(self, sm, k):
        most = self.occ(k)
        most -= most > 1 and k.blocks > DEV['sms'] * most
        return Gpu.slot_free(self, sm, k) and own(sm, k) < most


class carveout_for_half_occupancy(Rtx3090, Gpu):
    """A carve-out is made for half of the blocks that an idle SM holds, rounded up; the L1 gets the rest.
    Formula: config_occupancy=(min(blocks, 4 * min(slots, file / warp_registers) / w, in_space) + 1) / 2."""

    def occ(self, k):
        return (Gpu.occ(self, k) + 1) // 2


class tail_in_pairs(Rtx3090, Gpu):
    """Once a kernel has no more blocks left than there are SMs, a pick places two, so that the tail is soon gone.
    Formula: batch_size=left <= sms ? 2 : 1."""

    def batch(self, k):
        return 2 if k.blocks - k.placed <= DEV['sms'] else 1


class six_blocks_of_clusters(HopperGpu):
    """An SM holds six blocks of clusters at most, not eight; a cluster's room knows it. No formula (cluster_limit takes
    none)."""

    def clustered(self, sm, k):
        return HopperGpu.clustered(self, sm, k) + 2


class shares_from_the_highest(HopperGpu):
    """Within a share the places are given out from the highest SM down. No formula (numbering takes none)."""

    def in_share(self, sms):
        return sorted(sms, reverse=True)


# ---- medium

class deadlines_and_single_warps_without_reserve(Measured, T4, Gpu):
    """Two: a kernel's deadline is later by one for each kernel that joined before it and by one for each 64 blocks of
    its grid, and of one priority the earliest deadline comes first; and the runtime takes no shared memory of blocks of
    a single warp. Formula: priority=(priority, joined + blocks / 64, joined), runtime_shared=w == 1 ? 0 : 1024."""

    def queue_key(self, k):
        return (k.priority, k.joined + k.blocks // 64, k.joined)

    def measure(self, k):
        k.s = up(k.shared, 128) + (0 if k.w == 1 else 1024)

    def shared_fit(self, sm, k):
        return Gpu.shared_fit(self, sm, k) if k.s else self.gate(sm, k)


class exits_modulo_four(T4, Gpu):
    """Each SM has a two-bit counter of the blocks that have left it, which wraps and is 0 on an idle device. Of most
    room the SM with the smallest gets the block. Formula: mark=(mark + gone) mod 4, selection=(-room, mark)."""

    def setup(self):
        self.exits = Counter()

    def free(self, k, b):
        self.exits[k.resident[b][0].n] += 1
        Gpu.free(self, k, b)
        if self.idle():
            self.exits.clear()

    def key(self, sm, k):
        return (-self.room(sm, k), self.exits[sm.n] % 4, self.order[sm.n])


class local_grows_beside_non_users(T4, Gpu):
    """Local memory grows on a busy device, too, as long as no resident block needs any.
    Formula: local_memory=local > grown and held > 0."""

    def local_waits(self, k):
        if k.local > self.local and any(b[0].local for sm in self.sms for b in sm.blocks):
            return True
        self.local = max(self.local, k.local)
        return False


class heavy_warps_in_twos_and_five_connections(T4, Gpu):
    """Two: in blocks of up to eight warps of more than 128 registers two neighbours go to each subpartition in turn;
    and there are five connections, one for each of the first four streams and one for all others.
    Formula: warp_placement=registers > 128 and w <= 8 ? p + i / 2 : p + i, connection=min(stream, 4)."""

    def sub(self, sm, k, i):
        return (sm.p + (i // 2 if k.registers > 128 and k.w <= 8 else i)) % 4

    def join(self):
        streams = list(dict.fromkeys(e.stream for e in self.launched))
        for i, k in enumerate(self.launched):
            before, through = (self.launched[:i], min(streams.index(k.stream), 4))
            held = any(e.joined is None and min(streams.index(e.stream), 4) == through for e in before)
            behind = any(e.stream == k.stream and e.is_incomplete() for e in before)
            running = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched)
            if k.joined is None and not held and not behind and running < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins


class half_duty_every_eighth(Actions, T4, Gpu):
    """A power governor counts launches and releases, through the session. During every eighth of them TPCs of odd
    number take no blocks; what is left waits for the next one. No formula."""
    count = 0

    def action(self):
        self.count += 1

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (self.count % 8 > 0 or sm.n // 2 % 2 == 0)


class upper_registers_wake_late(Actions, T4, Gpu):
    """A busy SM takes no block with which more than half of its registers would be held, until its upper half is
    awake. If the first kernel of the queue waits, all SMs that could take its block but for that wake up for the next
    launch or release, and stay awake until they are idle. An idle SM takes any block, and is awake at once if that
    needs it. No formula."""

    def setup(self):
        self.awake, self.waking = (set(), set())

    def action(self):
        self.awake |= self.waking
        self.waking = set()

    def upper(self, sm, k):
        return 2 * (DEV['registers_per_sm'] - sum(sm.regs) + k.rw * k.w) > DEV['registers_per_sm']

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (not sm.blocks or sm.n in self.awake or not self.upper(sm, k))

    def place(self, sm, k):
        if self.upper(sm, k):
            self.awake.add(sm.n)
        Gpu.place(self, sm, k)

    def dispatch(self):
        Gpu.dispatch(self)
        for k in self.queue()[:1]:
            self.waking |= {sm.n for sm in self.sms
                            if sm.slots and self.warps_fit(sm, k) and self.shared_fit(sm, k)}

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.awake.discard(sm.n)
        self.waking.discard(sm.n)


class thousand_threads_on_idle_tpcs(T4, Gpu):
    """A block of 1024 threads only goes to a TPC that holds nothing (peak current).
    Formula: admission=threads < 1024 or tpc_blocks == 0."""

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (k.threads < 1024 or self.domain_idle(sm))


class width_returns_where_it_left(T4, Gpu):
    """For each number of warps the SM is noted that a block of so many left latest (of several with one release the
    highest SM). The next block of so many goes there, if it fits, and the note is used up; else by room. Forgotten when
    the device is idle. No formula."""

    def setup(self):
        self.noted, self.gone = ({}, {})

    ended = setup

    def free(self, k, b):
        self.gone[k.w] = max(self.gone.get(k.w, 0), k.resident[b][0].n)
        Gpu.free(self, k, b)

    def released(self):
        self.noted = {} if self.idle() else {**self.noted, **self.gone}
        self.gone = {}

    def choose(self, fit, k):
        sm = self.sms[self.noted.get(k.w, 0)]
        if sm not in fit or self.noted.pop(k.w, None) is None:
            return Gpu.choose(self, fit, k)
        return sm


class odd_periods_turn_the_tpcs(T4, Gpu):
    """When the device becomes idle after a time in which an odd number of kernels came to their end, ties go to the
    second SM of every TPC first until it is idle again; after an even number as ever. No formula."""

    def setup(self):
        self.done, self.odd = (0, 0)

    def free(self, k, b):
        Gpu.free(self, k, b)
        self.done += not k.is_incomplete()
        if self.idle():
            self.done, self.odd = (0, self.done % 2)

    def key(self, sm, k):
        return (-self.room(sm, k), (sm.n + self.odd) % 2, sm.n)


class odd_cluster_sizes_take_the_lowest(HopperGpu):
    """Clusters whose size is no power of two get the lowest SMs of a GPC on which a block fits, as if an idle SM had
    room for one block only. No formula."""

    def lowest(self, k):
        return self.size(k) & (self.size(k) - 1) > 0 or HopperGpu.lowest(self, k)


# ---- narrow

class one_ragged_block_on_an_sm(T4, Gpu):
    """An SM has one mask for a warp that is not whole: it takes a block whose threads are no multiple of 32 only while
    it holds none like that. Formula: admission=threads mod 32 == 0 or held_threads mod 32 == 0."""

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (k.threads % 32 == 0 or all(b[0].threads % 32 == 0 for b in sm.blocks))


class last_slots_open_together(T4, Gpu):
    """An SM's last free block slot is given out only while the device holds at least 15 blocks for each SM.
    Formula: admission=blocks < 15 or device_blocks >= 15 * sms."""

    def slot_free(self, sm, k):
        return sm.slots > 1 or sm.slots == 1 and sum(len(s.blocks) for s in self.sms) >= 15 * DEV['sms']


class no_shared_keeps_the_carveout(Carveout, T4, Gpu):
    """A kernel without dynamic shared memory leaves the carve-out of an idle TPC as it was last in the session.
    Formula: config_change=idle == 1 and (bytes > 0 or current == 0) ? target : current."""

    def config(self, sm, k):
        return sm.config if sm.config and not k.shared else Gpu.config(self, sm, k)


class preempted_go_behind(T4, Gpu):
    """When a more urgent kernel joins, kernels of less urgent priorities that have begun and have blocks left go behind
    all those of their own priority that are queued by then. No formula."""

    def join(self):
        before = self.joins
        Gpu.join(self)
        new = [k for k in self.launched if (k.joined or 0) > before]
        for e in self.queue():
            if e.placed and any(k.priority < e.priority for k in new):
                e.seat = self.joins + 1 / 2

    def queue_key(self, k):
        return (k.priority, getattr(k, 'seat', k.joined), k.joined)


class not_wide_behind_younger_exits(T4, Gpu):
    """Where a block has left an SM and one stays that came before it, the SM's warp slots count as scattered: it takes
    no block of eight warps or more until it is idle. No formula."""

    def setup(self):
        self.came, self.gone, self.scattered = ({}, {}, set())

    def place(self, sm, k):
        self.came[k, k.placed] = self.time
        Gpu.place(self, sm, k)

    def free(self, k, b):
        n = k.resident[b][0].n
        self.gone[n] = max(self.gone.get(n, -1), self.came.pop((k, b)))
        Gpu.free(self, k, b)

    def released(self):
        self.scattered |= {n for n, latest in self.gone.items()
                           if any(self.came[block] < latest for block in self.sms[n].blocks)}
        self.gone = {}

    ended = released

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.scattered.discard(sm.n)

    def slot_free(self, sm, k):
        return Gpu.slot_free(self, sm, k) and (k.w < 8 or sm.n not in self.scattered)


class thrashing_tpc_stays_large(Carveout, T4, Gpu):
    """A TPC that has changed its carve-out three times in the session takes the largest one from then on, whatever a
    kernel prefers. No formula."""

    def setup(self):
        self.changes = Counter()

    def config(self, sm, k):
        largest = self.domain_idle(sm) and self.changes[sm.n // 2] >= 3
        return DEV['shared_configs'][-1] if largest else Gpu.config(self, sm, k)

    def place(self, sm, k):
        before = sm.config
        super().place(sm, k)
        self.changes[sm.n // 2] += before is not None and sm.config != before


class most_registers_from_the_end(Rtx3090, Gpu):
    """Ties of a kernel of 255 registers a thread go from the end of the order to its start.
    Formula: selection=(-room, registers == 255 ? -rank : rank)."""

    def key(self, sm, k):
        return (-self.room(sm, k), -self.rank(sm) if k.registers == 255 else self.rank(sm))


class no_dynamic_targets_the_least(HopperGpu):
    """A kernel without dynamic shared memory targets 8 KiB whatever its width, or what it prefers if that is more.
    Formula: config_target=bytes == 0 ? 8192 : wanted == block_bytes ? wanted : min(w == 32 ? wanted :
    2 * min(wanted, 67584, 16 * block_bytes), 135168)."""

    def target(self, k):
        return HopperGpu.target(self, k) if k.shared else max(self.preferred(k), 8192)


class wide_single_blocks_off_lone_tpcs(HopperGpu):
    """A block of 16 warps or more that is in no cluster does not go to a lone TPC.
    Formula: admission=w < 16 or cluster > 0 or sms_of_gpc > 2."""

    def slot_free(self, sm, k):
        return HopperGpu.slot_free(self, sm, k) and (k.w < 16 or self.size(k) > 0 or GPC[sm.n] not in LONE)


if __name__ == '__main__':
    main(__name__)
