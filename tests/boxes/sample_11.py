#!/usr/bin/env python3
"""An eleventh sample of black boxes by somebody who did not know what a formula can say, nor how cuvier asks: a small
Hopper (hopper_foreign.py) but for one thing. Six are simple, seven are of clusters, four of priorities and streams,
three remember from kernel to kernel. Run as foreign.py:

    sample_11.py                        lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_11.py gpc_by_its_best' --out DIR
"""
from hopper_foreign import *


# Simple

class lone_seconds_last(HopperGpu):
    """Of equal SMs the second ones of lone TPCs come last: behind the first SM of each lone TPC come all of the wide
    GPCs."""

    def key(self, sm, k):
        return (self.rank(sm, k), GPC[sm.n] in LONE and sm.n % 2, self.order[sm.n])


class target_not_capped(HopperGpu):
    """A kernel's target is what twice its blocks need up to the largest configuration, not up to 132 KiB."""
    most_doubled = DEV['shared_configs'][-1]


class room_without_registers(HopperGpu):
    """Room does not count registers (whether a block fits does)."""

    def room_c(self, sm, k):
        return sm.warps


class no_opt_in_on_lone_tpcs(HopperGpu):
    """SMs of lone TPCs take no block of more than 48 KiB of dynamic shared memory, in a cluster or not."""

    def slot_free(self, sm, k):
        return HopperGpu.slot_free(self, sm, k) and (k.shared <= 49152 or GPC[sm.n] in WIDE)


class share_of_firsts_and_seconds(HopperGpu):
    """When GPCs have their share of a grid's numbers, the first SMs of their TPCs come first, then the second ones."""

    def in_share(self, sms):
        return sorted(sms, key=lambda n: (n % 2, n))


class lone_tpcs_numbered_last(HopperGpu):
    """Shares of wide GPCs are given out before those of lone TPCs that wait as well."""

    def lone_next(self, waiting):
        return all(GPC[n] in LONE for n in waiting)


# Clusters

class gpc_by_its_best(HopperGpu):
    """GPCs are compared for a cluster by the best of the TPCs and SMs that it would get there, not by the worst."""

    def gpc_key(self, keys):
        return min(keys)


class odd_block_spares_whole_tpcs(HopperGpu):
    """The odd block of a cluster goes first of all to an SM whose TPC's other SM cannot take one, whatever the
    rooms."""

    def single(self, n, keys):
        return (any(m != n and self.tpc[m] == self.tpc[n] for m in keys), keys[n], n)


class passes_go_there_and_back(HopperGpu):
    """Every other pass of a kernel goes through the GPCs from the last to the first."""

    def begin(self, k):
        HopperGpu.begin(self, k)
        k.passes = 0

    def pass_order(self, k):
        return HopperGpu.pass_order(self, k)[::-1 if k.passes % 2 else 1]

    def end_pass(self, k):
        k.passes += len(k.round) > 0
        HopperGpu.end_pass(self, k)


class firsts_of_tpcs_have_the_low_ranks(HopperGpu):
    """A cluster's blocks go to the first SMs of its TPCs in ascending order, then to the second ones."""

    def ranked(self, sms):
        return sorted(sms, key=lambda n: (n % 2, n))


class eight_of_a_kernel(HopperGpu):
    """An SM holds eight blocks of clusters of each kernel at most, not of all kernels together."""

    def clustered(self, sm, k):
        return sum(b[0] is k for b in sm.blocks)


class open_where_it_cannot_go(HopperGpu):
    """Behind a cluster that waits, kernels are tried on all GPCs that have fewer SMs than it has blocks, not on lone
    ones alone."""

    def open_behind(self, waiting):
        return [gpc for gpc in GPCS if len(self.of[gpc]) < min(self.size(k) for k in waiting)]


class singles_keep_off_clusters(HopperGpu):
    """Of equal SMs a single block gets one in whose TPC no block of a cluster is."""

    def key(self, sm, k):
        beside = any(self.size(b[0]) for s in self.sms if self.tpc[s.n] == self.tpc[sm.n] for b in s.blocks)
        return (self.rank(sm, k), beside, self.order[sm.n])


# Priorities and streams

class urgent_blocks_start_at_once(HopperGpu):
    """Blocks of a priority below 0, without clusters, are numbered as SMs are chosen, and no GPC's turn is used up."""

    def give_out(self, k):
        if k.priority < 0:
            sms, k.picks = [sm.n for sm, rank in k.picks], []
            self.number(k, sms)
        else:
            HopperGpu.give_out(self, k)


class background_on_lone_tpcs_last(HopperGpu):
    """For priorities above 0 lone TPCs come behind all equal SMs, not before them."""

    def key(self, sm, k):
        return (self.rank(sm, k), k.priority > 0 and GPC[sm.n] in LONE, self.order[sm.n])


class urgent_cluster_is_not_passed(HopperGpu):
    """A cluster of a priority below 0 that waits holds back lone TPCs, too."""

    def passed_when_waiting(self, k):
        return k.priority >= 0 and HopperGpu.passed_when_waiting(self, k)


class turns_of_each_stream(HopperGpu):
    """Each stream has turns of GPCs of its own, which begin with the first GPC and survive from probe to probe; a
    kernel without a named stream begins anew."""

    def setup(self):
        self.turns = {}

    def own_turn(self, k):
        new = {True: LONE[-1], False: WIDE[-1]}
        if isinstance(k.stream, str):
            self.turn = self.turns.setdefault(k.stream, new)
        else:
            self.turn = vars(k).setdefault('turn', new)

    def give_out(self, k):
        self.own_turn(k)
        HopperGpu.give_out(self, k)

    def end_pass(self, k):
        self.own_turn(k)
        HopperGpu.end_pass(self, k)


# From kernel to kernel

class no_passing_over_behind_clusters(HopperGpu):
    """A grid passes over no group of GPCs if the block that was numbered before its first is of a cluster (also one of
    the probe before)."""
    clusters = False

    def number(self, k, sms):
        HopperGpu.number(self, k, sms)
        if sms:
            self.clusters = self.size(k) > 0

    def begin(self, k):
        HopperGpu.begin(self, k)
        k.passed_over = self.clusters


class same_width_keeps_the_carveout(HopperGpu):
    """An idle SM keeps its configuration, if that is not too small, for a block of as many warps as its latest one had
    (also of the probe before)."""

    def setup(self):
        self.width = [0] * (N + 1)

    def config(self, sm, k):
        if not sm.blocks and self.width[sm.n] == k.w and sm.config >= self.preferred(k):
            return sm.config
        return HopperGpu.config(self, sm, k)

    def place(self, sm, k):
        HopperGpu.place(self, sm, k)
        self.width[sm.n] = k.w


class other_size_begins_at_the_first(HopperGpu):
    """Where a kernel's clusters have another size than the latest cluster of the session, turns of wide GPCs begin
    with the first GPC again."""
    latest = 0

    def end_pass(self, k):
        if k.round and self.size(k) != self.latest:
            self.latest, self.turn[False] = self.size(k), WIDE[-1]
        HopperGpu.end_pass(self, k)


if __name__ == '__main__':
    main(__name__)
