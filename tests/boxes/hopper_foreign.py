#!/usr/bin/env python3
"""The base of black boxes that are a small Hopper: what docs/reference/scheduler.md says of `hopper-as-recorded`, on
three GPCs of 3, 3 and 4 TPCs and four lone TPCs. HopperGpu is that; sample_11.py has boxes that differ from it
in one thing. Run as foreign.py is:

    cuvier infer --oracle 'exec:python3 tests/boxes/hopper_foreign.py HopperGpu' --out DIR
"""
from foreign import *
from itertools import groupby

# Numbered TPC by TPC through the GPCs, the smallest first; those that are alone come last
GPC = [gpc for gpc in (0, 1, 2) * 3 + (2, 3, 4, 5, 6) for sm in range(2)]
DEV.update({
 "name": "small H200", "architecture": "sm_90", "sms": len(GPC), "sms_per_tpc": 2, "max_blocks_per_sm": 32,
 "max_warps_per_sm": 64, "max_shared_per_block": 232448, "max_cluster": 8, "gpc_of_sm": GPC,
 "shared_configs": [0, 8192, 16384, 32768, 65536, 102400, 135168, 167936, 200704, 233472]})
N = DEV['sms']
GPCS = sorted(set(GPC), key=GPC.index)
LONE = [gpc for gpc in GPCS if GPC.count(gpc) <= DEV['sms_per_tpc']]
WIDE = [gpc for gpc in GPCS if gpc not in LONE]


def behind(ring, at):
    """The ring from behind one of its members on, that one last."""
    at = ring.index(at) + 1
    return ring[at:] + ring[:at]


class HopperGpu(Gpu):
    """What an H100 and an H200 do."""
    most_doubled = 135168

    def __init__(self):
        self.of = {gpc: [i for i in range(N) if GPC[i] == gpc] for gpc in GPCS}
        self.turn = {True: LONE[-1], False: WIDE[-1]}   # which GPC had the latest turn, of lone and of wide ones
        self.offered = GPCS
        self.left, self.known, self.over = set(), 0, False  # SMs that became idle in this action; whether it is over
        Gpu.__init__(self)
        n = DEV['sms_per_tpc']
        self.order = {sm: (GPC[sm] in WIDE, sm % n, sm // n) for sm in range(N)}

    def run(self, kernels, script):
        self.sizes = {name: k.get('cluster', 0) for name, k in kernels.items()}
        return Gpu.run(self, kernels, script)

    def size(self, k):
        """Blocks in a cluster of the kernel; 0 without clusters."""
        return self.sizes[k.name]

    # One SM

    def domain(self, sm):
        return [sm]

    def clustered(self, sm, k):
        """Blocks on the SM that count for the limit of eight."""
        return sum(self.size(b[0]) > 0 for b in sm.blocks)

    def slot_free(self, sm, k):
        return sm.slots > 0 and (not self.size(k) or self.clustered(sm, k) < 8)

    def rounded(self, n):
        return next((c for c in DEV['shared_configs'] if c >= n), DEV['shared_configs'][-1])

    def target(self, k):
        occ, least = self.occ(k), self.preferred(k)
        if occ == 1:
            return least
        n = min((occ if k.w == 32 else min(2 * occ, 32)) * k.s, self.most_doubled)
        if k.shared == 0:
            n = 32768 if k.w <= 15 else 16384 if k.w <= 23 else 8192
        return max(least, self.rounded(n))

    def config(self, sm, k):
        if sm.blocks or sm.n in self.left and sm.config >= self.preferred(k):
            return sm.config
        return self.target(k)

    def gaps(self, sm, config):
        """Free intervals, the lowest first; the one around the end begins before it and ends behind it."""
        gaps = Gpu.gaps(self, sm, config)
        around = max((b - config for a, b in sm.used), default=0)   # so far a block around the end goes
        if around > 0:
            return [(max(a, around), b) for a, b in gaps if b > around]
        if len(gaps) > 1 and gaps[0][0] == 0 and gaps[-1][1] == config:
            gaps = [(gaps[-1][0], config + gaps[0][1])] + gaps[1:-1]
        return gaps

    def room_c(self, sm, k):
        return self.c(sm, k)

    def room(self, sm, k):
        c = self.room_c(sm, k)
        m = min(c)
        j = next(j for j in range(4) if c[(sm.p + j) % 4] == m)
        limit = sum((b - a) // k.s for a, b in self.gaps(sm, self.config(sm, k)))
        return min(sm.slots, (4 * m + j) // k.w, limit)

    def place(self, sm, k):
        config = self.config(sm, k)
        self.preferred = lambda k: config   # this is what Gpu.place sets
        Gpu.place(self, sm, k)
        del self.preferred

    def free(self, k, b):
        self.action_begins()
        Gpu.free(self, k, b)

    def sm_idle(self, sm):
        self.left.add(sm.n)

    def action_begins(self):
        if self.over:
            self.left, self.over = set(), False

    def join(self):
        if len(self.launched) > self.known:
            self.known = len(self.launched)
            self.action_begins()
        self.over = True
        Gpu.join(self)

    def released(self):
        self.action_begins()

    def ended(self):
        self.left, self.known = set(), 0

    # Single blocks

    def rank(self, sm, k):
        """By this SMs are equals or not."""
        return (-self.room(sm, k),)

    def key(self, sm, k):
        return (self.rank(sm, k), self.order[sm.n])

    def fit(self, k):
        return [sm for sm in self.sms if GPC[sm.n] in self.offered and self.fits(sm, k)]

    def place_block(self, k):
        fit = self.fit(k)
        if fit:
            sm = self.choose(fit, k)
            k.picks.append((sm, self.rank(sm, k)))
            self.place(sm, k)
        return bool(fit)

    def groups(self, lone):
        """The GPCs of a kind in groups."""
        return [LONE[i:i + 2] for i in range(0, len(LONE), 2)] if lone else [[gpc] for gpc in WIDE]

    def lone_next(self, waiting):
        """Whether lone SMs have the next share."""
        return any(GPC[n] in LONE for n in waiting)

    def in_share(self, sms):
        return sorted(sms)

    def share(self, waiting, k):
        """Whether lone SMs come next, of which SMs each gets a block, and whether a group was passed over for them."""
        lone = self.lone_next(waiting)
        groups = self.groups(lone)
        order = behind(groups, next(group for group in groups if self.turn[lone] in group))
        shares = [self.in_share({n for n in waiting if GPC[n] in group}) for group in order]
        shares = [share for share in shares if share]
        over = not k.passed_over and len(shares) > 1
        return lone, shares[over], over

    def give_out(self, k):
        """Blocks get their numbers, round by round: five groups have had their shares before another is planned, and
        where there are no more groups than that, times and rests do not show."""
        rounds = [[sm.n for sm, rank in picks] for _, picks in groupby(k.picks, key=lambda pick: pick[1])]
        k.picks, numbered, g = [], [], self.turn[True]
        for j, waiting in enumerate(rounds):
            while waiting:
                lone, share, over = self.share(waiting, k)
                if lone and over:
                    g = next(gpc for gpc in behind(LONE, g) if any(GPC[n] == gpc for n in waiting))
                order = behind(LONE, g) if lone and j == 0 else GPCS[::-1]
                self.turn[lone] = [gpc for gpc in order if any(GPC[n] == gpc for n in share)][-1]
                k.passed_over = True
                for n in share:
                    waiting.remove(n)
                numbered += share
        self.number(k, numbered)

    def number(self, k, sms):
        """The latest blocks go, by their number, to these SMs, where places are taken already."""
        first = k.placed - len(sms)
        places = {}
        for b in range(first, k.placed):
            place = k.resident.pop(b)
            place[0].blocks.remove((k, b))
            places.setdefault(place[0].n, []).append(place)
        for b, n in enumerate(sms, first):
            k.resident[b] = places[n].pop(0)
            self.sms[n].blocks.append((k, b))
        if sms:
            self.started[k.name]['sm'][-len(sms):] = sms

    # Clusters

    def cluster_room(self, sm, k):
        return min(self.room(sm, k), 8 - self.clustered(sm, k))

    def lowest(self, k):
        """Whether an idle SM has room for one block."""
        return self.room(SM(N), k) == 1

    def single(self, n, keys):
        """By this single SMs are compared, given the keys of all that are free."""
        return (keys[n], any(m != n and self.tpc[m] == self.tpc[n] and keys[m] == keys[n] for m in keys), n)

    def gpc_key(self, keys):
        return max(keys)

    def ranked(self, sms):
        """The SMs of whole TPCs in the order of the cluster's blocks."""
        return sorted(sms)

    def pass_order(self, k):
        return LONE + WIDE

    def pick(self, gpc, k):
        """The SMs that a cluster would have in the GPC, in the order of its blocks, and their key; None if there is no
        place."""
        fit = [self.sms[n] for n in self.of[gpc] if self.fits(self.sms[n], k)]
        size, most = self.size(k), DEV['sms_per_tpc']
        if self.lowest(k):
            return (None, fit[:size]) if len(fit) >= size else None
        keys = {sm.n: (-self.cluster_room(sm, k), bool(sm.blocks)) for sm in fit}
        whole = []
        for first in keys:
            tpc = [n for n in keys if self.tpc[n] == self.tpc[first]]
            if tpc[0] == first and len(tpc) == most:
                whole.append((max(keys[n][0] for n in tpc), any(keys[n][1] for n in tpc), tpc))
        whole = sorted(whole)[:size // most]
        taken = [n for tpc in whole for n in tpc[-1]]
        for n in taken:
            del keys[n]
        singles = sorted(keys, key=lambda n: self.single(n, keys))[:size % most]
        if len(whole) < size // most or len(singles) < size % most:
            return None
        key = self.gpc_key([tpc[:2] for tpc in whole] + [keys[n] for n in singles])
        return key, [self.sms[n] for n in self.ranked(taken) + singles]

    def place_cluster(self, k):
        able = {gpc: self.pick(gpc, k) for gpc in self.offered}
        able = {gpc: found for gpc, found in able.items() if found}
        if not able:
            return False
        best = min((key for key, sms in able.values()), key=lambda key: key or ())
        on = order = self.pass_order(k)
        if k.round:
            on = order[order.index(k.round[-1][0]) + 1:] if best == k.best else []
        on = [gpc for gpc in on if gpc in able and able[gpc][0] == best]
        if not on:
            self.end_pass(k)
            on = [gpc for gpc in self.pass_order(k) if gpc in able and able[gpc][0] == best]
        k.best = best
        sms = able[on[0]][1]
        k.round.append((on[0], [sm.n for sm in sms]))
        for sm in sms:
            self.place(sm, k)
        return True

    def end_pass(self, k):
        """Clusters get their numbers."""
        found, k.round = dict(k.round), []
        numbered = []
        for lone, kind in (True, LONE), (False, WIDE):
            for gpc in behind(kind, self.turn[lone]):
                if gpc in found:
                    numbered += found[gpc]
                    self.turn[lone] = gpc
        self.number(k, numbered)

    # The queue

    def try_kernel(self, k):
        if k.placed == k.blocks or self.local_waits(k):
            return False
        return self.place_cluster(k) if self.size(k) else self.place_block(k)

    def passed_when_waiting(self, k):
        return self.size(k) > max(len(self.of[gpc]) for gpc in LONE)

    def open_behind(self, waiting):
        """The GPCs that are offered to kernels behind clusters that wait."""
        return LONE

    def begin(self, k):
        k.picks, k.round, k.passed_over = [], [], False

    def dispatch(self):
        waiting = []
        while True:
            queue = [k for k in self.queue() if k not in waiting]
            if not queue:
                break
            k = queue[0]
            if k.placed == 0:
                self.begin(k)
            self.offered = self.open_behind(waiting) if waiting else GPCS
            while self.try_kernel(k):
                pass
            self.end_pass(k) if self.size(k) else self.give_out(k)
            if k.placed < k.blocks:
                if not self.passed_when_waiting(k):
                    break
                waiting.append(k)
        self.offered = GPCS


if __name__ == '__main__':
    main(__name__)
