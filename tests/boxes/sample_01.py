#!/usr/bin/env python3
"""Black boxes by somebody who did not know what a formula can say: Algorithm 1 but for one thing (20),
or for two (the last 4). Run as foreign.py is:

    sample_01.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_01.py aging' --out DIR
"""
from foreign import *

SMS = DEV['sms']
WARPS = DEV['max_warps_per_sm']


def position(gpu, sm):
    """Where the SM comes in the tie-break order."""
    a, b = gpu.order[sm.n]
    return a * (SMS // DEV['sms_per_tpc']) + b


def held_warps(sm):
    return WARPS - sum(sm.warps)


# The choice of an SM

class two_choices(Gpu):
    """Two SMs are drawn by a hash of kernel and block; the one with more room gets it, or the next one that can."""

    def choose(self, fit, k):
        h = ((k.joined * 977 + k.placed + 1) * 2654435761) % 2 ** 32
        drawn = [(h >> 8) % SMS, (h >> 20) % SMS]
        both = [sm for n in drawn for sm in fit if sm.n == n]
        if both:
            return max(both, key=lambda sm: self.room(sm, k))
        return min(fit, key=lambda sm: (sm.n - drawn[0]) % SMS)


class plru_tree(Gpu):
    """Of the SMs with most room, a binary tree of bits (pseudo-LRU) says which; each pick turns its path away."""

    def setup(self):
        self.bits = {}

    def choose(self, fit, k):
        rooms = {sm.n: self.room(sm, k) for sm in fit}
        most = max(rooms.values())
        among = {position(self, sm): sm for sm in fit if rooms[sm.n] == most}
        low, size, node = 0, 32, 1
        while size > 1:
            size //= 2
            side = self.bits.get(node, 0)
            begin = low + side * size
            if not any(begin <= at < begin + size for at in among):
                side = 1 - side
            self.bits[node] = 1 - side
            low += side * size
            node = 2 * node + side
        return among[low]

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.bits = {}


class score_kept(Gpu):
    """An SM's room is counted when a block is placed there, for that block's kernel, and stays until the next is."""

    def setup(self):
        self.score = {}

    def key(self, sm, k):
        return (-self.score.get(sm.n, self.room(sm, k)), self.order[sm.n])

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.score[sm.n] = self.room(sm, k)

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.score.pop(sm.n, None)


class full_bit(Gpu):
    """An SM on which a tried block did not fit is marked full for every kernel until a block of its TPC exits."""

    def setup(self):
        self.full = set()

    def fits(self, sm, k):
        if sm.n in self.full and not self.domain_idle(sm):
            return False
        if Gpu.fits(self, sm, k):
            return True
        self.full.add(sm.n)
        return False

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        self.full -= {s.n for s in self.domain(sm)}


class window_of_eight(Gpu):
    """Only the first eight eligible SMs from a cursor on are compared by room; it goes behind the chosen one."""

    def setup(self):
        self.at = 0

    def choose(self, fit, k):
        near = sorted(fit, key=lambda sm: (position(self, sm) - self.at) % SMS)[:8]
        sm = max(near, key=lambda sm: self.room(sm, k))
        self.at = (position(self, sm) + 1) % SMS
        return sm

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.at = 0


class follows_kin(Gpu):
    """Of most room, an SM whose TPC already runs blocks of the same kernel comes first."""

    def key(self, sm, k):
        kin = any(b[0] is k for s in self.domain(sm) for b in s.blocks)
        return (-self.room(sm, k), not kin, self.order[sm.n])


class spread_then_pack(Gpu):
    """Once half of the device's warp slots are held, blocks go where most warps are, until a quarter is."""

    def setup(self):
        self.packs = False

    def choose(self, fit, k):
        held = sum(held_warps(sm) for sm in self.sms)
        self.packs = held * 4 >= SMS * WARPS if self.packs else held * 2 >= SMS * WARPS
        if self.packs:
            return min(fit, key=lambda sm: (-held_warps(sm), self.order[sm.n]))
        return Gpu.choose(self, fit, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.packs = False


class parted_in_company(Gpu):
    """While blocks of another kernel are resident, a kernel gets only the half of the TPCs of its number's parity."""

    def slot_free(self, sm, k):
        if any(e is not k and e.resident for e in self.kernels):
            if self.tpc[sm.n] * 2 * DEV['sms_per_tpc'] // SMS != k.joined % 2:
                return False
        return sm.slots > 0


class urgent_undisturbed(Gpu):
    """An SM with a resident block of a more urgent priority takes no block of a less urgent one."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and all(b[0].priority >= k.priority for b in sm.blocks)


# Whether a block fits

class registers_by_row(Gpu):
    """A block takes registers for a multiple of four warps, as many in each subpartition; warp slots as they are."""

    def row(self, k):
        return -(-k.w // 4) * k.rw

    def warps_fit(self, sm, k):
        need = [0] * 4
        for i in range(k.w):
            need[self.sub(sm, k, i)] += 1
        return all(n <= c for n, c in zip(need, sm.warps)) and self.row(k) <= min(sm.regs)

    def room(self, sm, k):
        m = min(sm.warps)
        j = next(j for j in range(4) if sm.warps[(sm.p + j) % 4] == m)
        longest = max((b - a for a, b in self.gaps(sm, self.config(sm, k))), default=0)
        return min(sm.slots, (4 * m + j) // k.w, min(sm.regs) // self.row(k), longest // k.s)

    def rest(self, sm, k, subs, sign):
        for q in range(4):
            sm.regs[q] += sign * (self.row(k) - subs.count(q) * k.rw)

    def place(self, sm, k):
        b = k.placed
        Gpu.place(self, sm, k)
        self.rest(sm, k, k.resident[b][1], -1)

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        Gpu.free(self, k, b)
        self.rest(sm, k, subs, 1)


class register_halves(Gpu):
    """Two subpartitions share a register file of twice the size: 0 with 1, and 2 with 3."""

    def pool(self, sm, half):
        return sm.regs[2 * half] + sm.regs[2 * half + 1]

    def c(self, sm, k):
        return [min(sm.warps[q], self.pool(sm, q // 2) // k.rw // 2) for q in range(4)]

    def warps_fit(self, sm, k):
        need = [0] * 4
        for i in range(k.w):
            need[self.sub(sm, k, i)] += 1
        return (all(n <= c for n, c in zip(need, sm.warps)) and
                all((need[2 * h] + need[2 * h + 1]) * k.rw <= self.pool(sm, h) for h in range(2)))


class registers_linger(Gpu):
    """The registers of the block that left an SM last come back when another leaves it, or when it is idle."""

    def setup(self):
        self.lingering = {}

    def free(self, k, b):
        sm, subs, _, rw = k.resident[b]
        before = self.lingering.pop(sm.n, ([], 0))
        Gpu.free(self, k, b)
        for q in before[0]:
            sm.regs[q] += before[1]
        if sm.blocks:
            for q in subs:
                sm.regs[q] -= rw
            self.lingering[sm.n] = (subs, rw)


class carveout_widens_busy(Gpu):
    """A busy TPC takes a kernel that prefers a larger configuration, and is widened to it at once."""

    def gate(self, sm, k):
        return True

    def config(self, sm, k):
        return self.preferred(k) if self.domain_idle(sm) else max(sm.config, self.preferred(k))

    def place(self, sm, k):
        wide = self.config(sm, k)
        for s in self.domain(sm):
            s.config = wide
        Gpu.place(self, sm, k)


class config_by_grid(Gpu):
    """The preferred configuration is for no more blocks per SM than the grid has on average, rounded up."""

    def occ(self, k):
        return max(1, min(Gpu.occ(self, k), -(-k.blocks // SMS)))


# Warps and the pointer

class starts_at_emptiest(Gpu):
    """A block's first warp goes to the subpartition with most free warp slots, the others on from there."""

    def point(self, sm):
        sm.p = max(range(4), key=lambda q: (sm.warps[q], -q))

    def move(self, sm, k):
        self.point(sm)

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        self.point(sm)


class pointer_per_kernel(Gpu):
    """On each SM each kernel has a warp pointer of its own."""

    def setup(self):
        self.own = {}

    def fits(self, sm, k):
        sm.p = self.own.get((sm.n, k.index), 0)
        return Gpu.fits(self, sm, k)

    def room(self, sm, k):
        sm.p = self.own.get((sm.n, k.index), 0)
        return Gpu.room(self, sm, k)

    def place(self, sm, k):
        sm.p = self.own.get((sm.n, k.index), 0)
        Gpu.place(self, sm, k)
        self.own[(sm.n, k.index)] = sm.p

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.own = {at: p for at, p in self.own.items() if at[0] != sm.n}


# Kernels

class one_launch_queue(Gpu):
    """A kernel that waits for its stream keeps all that were launched behind it waiting, of any stream."""

    def join(self):
        for i, k in enumerate(self.launched):
            if k.joined is not None:
                continue
            if any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i]):
                break
            if sum(1 for e in self.launched if e.joined is not None and e.is_incomplete()) >= DEV['max_resident_kernels']:
                break
            self.joins += 1
            k.joined = self.joins


class aging(Gpu):
    """With every launch or release that a kernel has waited through, its priority is more urgent by one."""

    def setup(self):
        self.releases = 0

    def released(self):
        self.releases += 1

    def ended(self):
        self.releases = 0

    def clock(self):
        return len(self.launched) + self.releases

    def join(self):
        Gpu.join(self)
        for k in self.launched:
            if k.joined is not None and not hasattr(k, 'since'):
                k.since = self.clock()

    def queue_key(self, k):
        return (k.priority - (self.clock() - k.since), k.joined)


# How many

class guided(Gpu):
    """A pick places the blocks that are left divided by twice the number of SMs, rounded up (guided self-scheduling)."""

    def batch(self, k):
        return -(-(k.blocks - k.placed) // (2 * SMS))


# Local memory

class local_per_sm(Gpu):
    """Each SM has a local-memory configuration of its own, which grows when that SM is idle; it survives as the device's does."""

    def setup(self):
        self.per = [0] * SMS

    def local_waits(self, k):
        return False

    def slot_free(self, sm, k):
        return sm.slots > 0 and (not sm.blocks or k.local <= self.per[sm.n])

    def place(self, sm, k):
        self.per[sm.n] = max(self.per[sm.n], k.local)
        Gpu.place(self, sm, k)


# Two things at once

class swizzle_and_pass_by_shared(Gpu):
    """Warp i goes to subpartition p XOR i; and kernels without shared memory pass a head that lacks only shared memory."""

    def sub(self, sm, k, i):
        return sm.p ^ (i % 4)

    def candidates(self):
        q = self.queue()
        if len(q) > 1:
            head = q[0]
            lacks = not self.idle() and head.local <= self.local and not any(self.fits(sm, head) for sm in self.sms)
            if lacks and any(self.slot_free(sm, head) and self.warps_fit(sm, head) for sm in self.sms):
                return q[:1] + [k for k in q[1:] if k.shared == 0]
        return q[:1]


class freed_pointer_and_slow_shrink(Gpu):
    """The pointer goes to where the block that left began; and an idle TPC's carve-out shrinks by one step at most."""

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        Gpu.free(self, k, b)
        if sm.blocks:
            sm.p = subs[0]

    def at_idle(self, sm, k):
        steps = DEV['shared_configs']
        least = steps[max(steps.index(sm.config) - 1, 0)] if sm.config else 0
        return max(self.preferred(k), least)

    def config(self, sm, k):
        return self.at_idle(sm, k) if self.domain_idle(sm) else sm.config

    def place(self, sm, k):
        wide = self.config(sm, k)
        if self.domain_idle(sm):
            self.preferred = lambda k: wide
            Gpu.place(self, sm, k)
            del self.preferred
        else:
            Gpu.place(self, sm, k)

    def ended(self):
        for sm in self.sms:
            sm.config = None


class barriers_and_pointers_back(Gpu):
    """An SM has 12 barriers (a block of 1 warp takes 0, of 2 to 4 one, wider two); a kernel's first try zeroes all pointers."""

    def need(self, k):
        return 0 if k.w == 1 else 1 if k.w <= 4 else 2

    def slot_free(self, sm, k):
        return sm.slots > 0 and sum(self.need(b[0]) for b in sm.blocks) + self.need(k) <= 12

    def candidates(self):
        q = self.queue()[:1]
        if q and q[0].placed == 0:
            for sm in self.sms:
                sm.p = 0
        return q


class local_users_and_slow_start(Gpu):
    """Local memory grows while no resident kernel uses any; and behind a kernel's first 24 picks each places two."""

    def local_waits(self, k):
        if not any(e.resident and e.local > 0 for e in self.kernels):
            self.local = max(self.local, k.local)
            return False
        return k.local > self.local

    def batch(self, k):
        k.picks = getattr(k, 'picks', 0) + 1
        return 1 if k.picks <= SMS else 2


if __name__ == '__main__':
    main(__name__)
