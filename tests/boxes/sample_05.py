#!/usr/bin/env python3
"""Black boxes of a device like a small Hopper, with thread block clusters and GPCs of unequal size. ClusterGpu is
Algorithm 1 and, for clusters, the first value of every axis; the others differ from it in one thing (the last four in
two). Run as foreign.py is:

    sample_05.py                       lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_05.py ClusterGpu' --out DIR
"""
from foreign import *

# GPCs of 4, 5, 3, 4 and 1 TPCs, numbered TPC by TPC through the GPCs; the one that is alone comes last
GPC = [gpc for gpc in (0, 1, 2, 3) * 3 + (0, 1, 3, 1, 4) for sm in range(2)]
DEV.update({
 "name": "small hopper", "architecture": "sm_90", "sms": len(GPC), "sms_per_tpc": 2, "max_blocks_per_sm": 32,
 "max_warps_per_sm": 64, "max_shared_per_block": 232448, "max_cluster": 8, "gpc_of_sm": GPC,
 "shared_configs": [1024 * kib for kib in (8, 16, 32, 64, 100, 132, 164, 196, 228)]})
N = DEV['sms']
WARPS = DEV['max_warps_per_sm']
SIZE = {gpc: GPC.count(gpc) for gpc in GPC}


def held(sm):
    """Warps that are resident on the SM."""
    return WARPS - sum(sm.warps)


class ClusterGpu(Gpu):
    """Algorithm 1, and clusters by the first value of every axis: the GPC in turn, the smallest first; in it the first
    SMs on which a block fits, one for each block."""

    def __init__(self):
        self.gpc = {g: [i for i in range(N) if GPC[i] == g] for g in SIZE}
        self.turn = None
        Gpu.__init__(self)

    def run(self, kernels, script):
        self.sizes = {name: k.get('cluster', 0) for name, k in kernels.items()}
        return Gpu.run(self, kernels, script)

    def size(self, k):
        """Blocks in a cluster of the kernel; 0 without clusters."""
        return self.sizes[k.name]

    def of(self, gpc):
        """The SMs of a GPC."""
        return [self.sms[i] for i in self.gpc[gpc]]

    def gpc_order(self, k):
        return sorted(SIZE, key=lambda gpc: (SIZE[gpc], self.gpc[gpc][0]))

    def turns(self, k):
        """The GPCs in the order in which they are asked for the next cluster."""
        order = self.gpc_order(k)
        at = 0 if self.turn is None else order.index(self.turn) + 1
        return order[at:] + order[:at]

    def pick(self, gpc, k):
        """The SMs that a cluster would have in the GPC; fewer than it has blocks where there is no place."""
        return [sm for sm in self.of(gpc) if self.fits(sm, k)][:self.size(k)]

    def place_cluster(self, k):
        for gpc in self.turns(k):
            sms = self.pick(gpc, k)
            if len(sms) == self.size(k):
                for sm in self.ranked(sms, k):
                    self.place(sm, k)
                self.placed_cluster(gpc, k)
                return True
        return False

    def ranked(self, sms, k):
        """The SMs in the order in which the cluster's blocks get them."""
        return sorted(sms, key=lambda sm: sm.n)

    def placed_cluster(self, gpc, k):
        self.turn = gpc

    def place_block(self, k):
        fit = [sm for sm in self.sms if self.fits(sm, k)]
        if fit:
            self.place(self.choose(fit, k), k)
        return bool(fit)

    def try_kernel(self, k):
        if self.local_waits(k):
            return False
        return self.place_cluster(k) if self.size(k) else self.place_block(k)

    def dispatch(self):
        while any(self.try_kernel(k) for k in self.candidates()):
            pass

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.device_idle()

    def device_idle(self):
        self.turn = None


# Clusters: which SMs of a GPC

class small_clusters_in_a_cpc(ClusterGpu):
    """The TPCs of a GPC come by twos (CPCs; an odd one at the end is alone); a cluster of up to four blocks has all of
    them in one CPC, the first that can take it. Larger ones are as ever."""

    def pick(self, gpc, k):
        if self.size(k) > 4:
            return ClusterGpu.pick(self, gpc, k)
        sms = self.of(gpc)
        for at in range(0, len(sms), 4):
            fit = [sm for sm in sms[at:at + 4] if self.fits(sm, k)]
            if len(fit) >= self.size(k):
                return fit[:self.size(k)]
        return []


class odd_gpcs_backwards(ClusterGpu):
    """In GPCs of odd number a cluster gets the last SMs on which a block fits."""

    def pick(self, gpc, k):
        fit = [sm for sm in self.of(gpc) if self.fits(sm, k)]
        return fit[-self.size(k):] if gpc % 2 else fit[:self.size(k)]


class neighbours_only(ClusterGpu):
    """A cluster needs SMs that follow each other in its GPC, with none between them on which a block does not fit."""

    def pick(self, gpc, k):
        sms, size = self.of(gpc), self.size(k)
        for at in range(len(sms) - size + 1):
            if all(self.fits(sm, k) for sm in sms[at:at + size]):
                return sms[at:at + size]
        return []


# Clusters: which GPC, and how many

class four_clusters_in_a_gpc(ClusterGpu):
    """A GPC has four cluster barriers, whatever its size: so many clusters are resident there at most, each until its
    last block has left."""

    def pick(self, gpc, k):
        clusters = {(b[0].name, b[1] // self.size(b[0])) for sm in self.of(gpc) for b in sm.blocks if self.size(b[0])}
        return [] if len(clusters) >= 4 else ClusterGpu.pick(self, gpc, k)


class large_clusters_from_the_largest(ClusterGpu):
    """For clusters of more than four blocks the GPCs' order is by descending size; both sorts have one cursor."""

    def gpc_order(self, k):
        return sorted(SIZE, key=lambda gpc: (-SIZE[gpc] if self.size(k) > 4 else SIZE[gpc], self.gpc[gpc][0]))


class share_by_size(ClusterGpu):
    """Each GPC gets its share: that which was given the fewest blocks of clusters for each of its SMs, since the device
    was idle, comes first."""

    def setup(self):
        self.given = dict.fromkeys(SIZE, 0)

    device_idle = setup

    def turns(self, k):
        return sorted(self.gpc_order(k), key=lambda gpc: self.given[gpc] / SIZE[gpc])

    def placed_cluster(self, gpc, k):
        self.given[gpc] += self.size(k)


class waiting_cluster_drains_a_gpc(ClusterGpu):
    """A cluster that finds no place settles for one GPC, of those large enough that with the fewest blocks, and waits
    for it even if another one could take it earlier; nothing else is let into that GPC meanwhile, nor does another
    cluster settle for it."""

    def targets(self, k):
        return [e.target for e in self.kernels if e is not k and getattr(e, 'target', None) is not None]

    def slot_free(self, sm, k):
        return sm.slots > 0 and GPC[sm.n] not in self.targets(k)

    def turns(self, k):
        return ClusterGpu.turns(self, k) if getattr(k, 'target', None) is None else [k.target]

    def place_cluster(self, k):
        placed = ClusterGpu.place_cluster(self, k)
        if placed:
            k.target = None
        elif getattr(k, 'target', None) is None:
            able = [g for g in self.gpc_order(k) if SIZE[g] >= self.size(k) and g not in self.targets(k)]
            if able:
                k.target = min(able, key=lambda gpc: sum(len(sm.blocks) for sm in self.of(gpc)))
        return placed


# Clusters: the queue, and warps

class passed_by_eight_blocks(ClusterGpu):
    """While a cluster at the head waits, kernels without clusters behind it are tried, until eight of their blocks have
    passed it; then all wait until it is placed."""

    def candidates(self):
        q = self.queue()
        if q and self.size(q[0]) and getattr(q[0], 'passed', 0) < 8:
            return q[:1] + [k for k in q[1:] if not self.size(k)]
        return q[:1]

    def place_cluster(self, k):
        placed = ClusterGpu.place_cluster(self, k)
        if placed:
            k.passed = 0
        return placed

    def place_block(self, k):
        head = self.queue()[0]
        placed = ClusterGpu.place_block(self, k)
        if placed and head is not k:
            head.passed = getattr(head, 'passed', 0) + 1
        return placed


class clusters_begin_at_subpartition_0(ClusterGpu):
    """The warps of a cluster's block begin at subpartition 0, and the SM's warp pointer stays where it is."""

    def sub(self, sm, k, i):
        return i % 4 if self.size(k) else ClusterGpu.sub(self, sm, k, i)

    def move(self, sm, k):
        if not self.size(k):
            ClusterGpu.move(self, sm, k)


# Clusters beside other kernels

class tpc_in_one_mode(ClusterGpu):
    """A TPC that is not idle is in cluster mode or in the ordinary one, and takes only such blocks."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and all(bool(self.size(b[0])) == bool(self.size(k))
                                    for s in self.domain(sm) for b in s.blocks)


class order_begins_behind_the_cluster(ClusterGpu):
    """For single blocks the tie-break order begins behind the last SM of the latest cluster; at the start when the
    device was idle."""

    def setup(self):
        self.at = 0

    def rank(self, sm):
        a, b = self.order[sm.n]
        return a * N // 2 + b

    def key(self, sm, k):
        return (-self.room(sm, k), (self.rank(sm) - self.at) % N)

    def place_cluster(self, k):
        placed = ClusterGpu.place_cluster(self, k)
        if placed:
            self.at = self.rank(k.resident[k.placed - 1][0]) + 1
        return placed

    def device_idle(self):
        ClusterGpu.device_idle(self)
        self.at = 0


# Kernels without clusters, on GPCs of unequal size

class as_many_blocks_as_tpcs(ClusterGpu):
    """GPCs come in turn for single blocks, from the first one on an idle device, and a GPC's turn is as many blocks as
    it has TPCs; one in which none fits loses what is left of its turn. In the GPC, most room."""

    def setup(self):
        self.at, self.left = len(SIZE) - 1, 0

    def choose(self, fit, k):
        able = {GPC[sm.n] for sm in fit}
        while self.left == 0 or self.at not in able:
            self.at = (self.at + 1) % len(SIZE)
            self.left = SIZE[self.at] // 2
        self.left -= 1
        return ClusterGpu.choose(self, [sm for sm in fit if GPC[sm.n] == self.at], k)

    def device_idle(self):
        ClusterGpu.device_idle(self)
        self.setup()


class least_share_of_warps(ClusterGpu):
    """A single block goes to the GPC that holds the least share of its warp slots (ties: the one whose lowest SM comes
    first), and there by room."""

    def choose(self, fit, k):
        def share(gpc):
            return (sum(held(sm) for sm in self.of(gpc)) / SIZE[gpc], self.gpc[gpc][0])

        gpc = min({GPC[sm.n] for sm in fit}, key=share)
        return ClusterGpu.choose(self, [sm for sm in fit if GPC[sm.n] == gpc], k)


class gpcs_wake_one_by_one(ClusterGpu):
    """On an idle device all GPCs sleep but the largest. Single blocks go to those that are awake, by room; the next
    one in descending size wakes when more than half of their warp slots are held, or where the block fits on none.
    Clusters neither wake nor mind them."""

    def setup(self):
        self.awake = 1

    def choose(self, fit, k):
        order = sorted(SIZE, key=lambda gpc: (-SIZE[gpc], self.gpc[gpc][0]))
        while True:
            able = [sm for sm in fit if GPC[sm.n] in order[:self.awake]]
            awake = [sm for gpc in order[:self.awake] for sm in self.of(gpc)]
            full = 2 * sum(held(sm) for sm in awake) > WARPS * len(awake)
            if able and (self.awake == len(order) or not full):
                return ClusterGpu.choose(self, able, k)
            self.awake += 1

    def device_idle(self):
        ClusterGpu.device_idle(self)
        self.setup()


class carveout_of_a_cpc(ClusterGpu):
    """The SMs that share a shared-memory configuration are those of two TPCs that follow each other in a GPC (an odd
    one at its end is alone)."""

    def setup(self):
        for sms in self.gpc.values():
            for i, n in enumerate(sms):
                self.tpc[n] = sms[i // 4 * 4]


class small_grids_in_a_gpc(ClusterGpu):
    """The blocks of a grid of up to eight, without clusters, go where the first of them went: to its GPC, by room, as
    long as one fits there."""

    def choose(self, fit, k):
        if k.blocks <= 8 and k.placed:
            fit = [sm for sm in fit if GPC[sm.n] == k.home] or fit
        sm = ClusterGpu.choose(self, fit, k)
        if not k.placed:
            k.home = GPC[sm.n]
        return sm


# Two things at once

class large_clusters_alone_and_clusters_first(ClusterGpu):
    """Two: a cluster of more than half of a GPC's SMs goes there only if no cluster is resident in it; and of one
    priority, kernels in clusters come before the others."""

    def pick(self, gpc, k):
        if 2 * self.size(k) > SIZE[gpc] and any(self.size(b[0]) for sm in self.of(gpc) for b in sm.blocks):
            return []
        return ClusterGpu.pick(self, gpc, k)

    def queue_key(self, k):
        return (k.priority, not self.size(k), k.joined)


class cursor_per_size_and_same_carveout(ClusterGpu):
    """Two: each cluster size has a cursor of its own over the GPCs; and a busy TPC takes a cluster's block only if its
    configuration is just that which the block prefers."""

    def setup(self):
        self.cursors = {}

    device_idle = setup

    def turns(self, k):
        self.turn = self.cursors.get(self.size(k))
        return ClusterGpu.turns(self, k)

    def placed_cluster(self, gpc, k):
        self.cursors[self.size(k)] = gpc

    def gate(self, sm, k):
        return ClusterGpu.gate(self, sm, k) and (not self.size(k) or self.preferred(k) == self.config(sm, k))


class tightest_gpc_and_ranks_turn(ClusterGpu):
    """Two: a cluster goes to the GPC with the fewest SMs on which a block fits, of those that can take it; and every
    other cluster of a kernel has its blocks on its SMs in descending order."""

    def turns(self, k):
        return sorted(self.gpc_order(k), key=lambda gpc: sum(self.fits(sm, k) for sm in self.of(gpc)))

    def ranked(self, sms, k):
        return sorted(sms, key=lambda sm: sm.n, reverse=k.placed // self.size(k) % 2 == 1)


class other_gpc_and_twenty_blocks(ClusterGpu):
    """Two: a single block does not go to the GPC of the single block before it (since the device was idle), unless it
    fits in no other one; and no GPC holds more than 20 blocks, whatever its size and theirs."""

    def setup(self):
        self.latest = None

    def slot_free(self, sm, k):
        return sm.slots > 0 and sum(len(s.blocks) for s in self.of(GPC[sm.n])) < 20

    def pick(self, gpc, k):
        many = 20 - sum(len(sm.blocks) for sm in self.of(gpc))
        return ClusterGpu.pick(self, gpc, k) if many >= self.size(k) else []

    def choose(self, fit, k):
        sm = ClusterGpu.choose(self, [sm for sm in fit if GPC[sm.n] != self.latest] or fit, k)
        self.latest = GPC[sm.n]
        return sm

    def device_idle(self):
        ClusterGpu.device_idle(self)
        self.latest = None


if __name__ == '__main__':
    main(__name__)
