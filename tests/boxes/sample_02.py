#!/usr/bin/env python3
"""A second sample of black boxes by somebody who did not know what a formula can say: Algorithm 1
but for one thing (20), or for two (the last 4). Run as foreign.py is:

    sample_02.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_02.py tetris' --out DIR
"""
from foreign import *

N = DEV['sms']


class tetris(Gpu):
    """The SM with the largest dot product of what the block asks and what is free (block slots, warp slots,
    registers, shared memory; each as a fraction of the SM's whole)."""

    def key(self, sm, k):
        held = sum(b - a for a, b in sm.used)
        scale = 2 ** 32 * 9 * 625
        dot = (scale // 16 ** 2 * sm.slots + scale // 48 ** 2 * k.w * sum(sm.warps)
               + scale // 65536 ** 2 * k.w * k.rw * sum(sm.regs)
               + scale // 102400 ** 2 * k.s * (102400 - held))
        return (-dot, self.order[sm.n])


class least_work_done(Gpu):
    """The SM on which the fewest warps were ever placed since the device was idle."""

    def setup(self):
        self.work = [0] * N

    def place(self, sm, k):
        self.work[sm.n] += k.w
        Gpu.place(self, sm, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.work = [0] * N

    def key(self, sm, k):
        return (self.work[sm.n], self.order[sm.n])


class mcm_quarters(Gpu):
    """Four modules of six SMs: a block of the grid's n-th quarter goes to the n-th module (there by room),
    elsewhere only if it fits on no SM there."""

    def key(self, sm, k):
        return (sm.n // 6 != 4 * k.placed // k.blocks, -self.room(sm, k), self.order[sm.n])


class ties_from_both_ends(Gpu):
    """Ties go to the first SM in the order and to the last one by turns, counted in picks since the device was
    idle."""

    def setup(self):
        self.picks = 0

    def place(self, sm, k):
        self.picks += 1
        Gpu.place(self, sm, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.picks = 0

    def key(self, sm, k):
        n = self.order[sm.n][0] * (N // 2) + self.order[sm.n][1]
        return (-self.room(sm, k), -n if self.picks % 2 else n)


class ties_near_predecessor(Gpu):
    """Of most room the SM whose number is nearest to that of the SM of the kernel's latest block (then the
    order)."""

    def place(self, sm, k):
        k.latest = sm.n
        Gpu.place(self, sm, k)

    def key(self, sm, k):
        return (-self.room(sm, k), abs(sm.n - getattr(k, 'latest', sm.n)), self.order[sm.n])


class weighted_gpcs(Gpu):
    """GPCs of 10, 8 and 6 SMs (0-9, 10-17, 18-23) by smooth weighted round robin, weight = SMs, among those
    with an eligible SM (credits back to 0 when the device is idle); in it the SM with most room."""

    weights = (10, 8, 6)

    def setup(self):
        self.credit = [0, 0, 0]

    def gpc(self, sm):
        return 0 if sm.n < 10 else 1 if sm.n < 18 else 2

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.credit = [0, 0, 0]

    def choose(self, fit, k):
        can = sorted({self.gpc(sm) for sm in fit})
        for g in can:
            self.credit[g] += self.weights[g]
        best = max(can, key=lambda g: (self.credit[g], -g))
        self.credit[best] -= sum(self.weights[g] for g in can)
        return min((sm for sm in fit if self.gpc(sm) == best), key=lambda sm: self.key(sm, k))


class tpc_by_worse_sm(Gpu):
    """First the TPC whose worse SM has most room (0 where the block does not fit), then the SM with most room
    in it."""

    def choose(self, fit, k):
        worse = {}
        for sm in self.sms:
            t = self.tpc[sm.n]
            worse[t] = min(worse.get(t, 10 ** 9), self.room(sm, k) if sm in fit else 0)
        best = min({self.tpc[sm.n] for sm in fit}, key=lambda t: (-worse[t], t))
        return min((sm for sm in fit if self.tpc[sm.n] == best), key=lambda sm: self.key(sm, k))


class hwtid_aligned(Gpu):
    """A block also needs w consecutive warp numbers of the SM's 48 that begin at a multiple of w (lowest
    first), as GPGPU-Sim's hardware thread ids."""

    def ids(self, sm):
        if not hasattr(sm, 'ids'):
            sm.ids = {}
        return sm.ids

    def start(self, sm, k):
        used = self.ids(sm).values()
        for a in range(0, 48 - k.w + 1, k.w):
            if all(a + k.w <= x or y <= a for x, y in used):
                return a
        return None

    def warps_fit(self, sm, k):
        return Gpu.warps_fit(self, sm, k) and self.start(sm, k) is not None

    def place(self, sm, k):
        a = self.start(sm, k)
        self.ids(sm)[k, k.placed] = (a, a + k.w)
        Gpu.place(self, sm, k)

    def free(self, k, b):
        del self.ids(k.resident[b][0])[k, b]
        Gpu.free(self, k, b)


class slots_by_subpartition(Gpu):
    """Each subpartition has four of the 16 block slots; a block takes one of that which gets its first warp
    (room counts all of them)."""

    def setup(self):
        for sm in self.sms:
            sm.home = [4] * 4

    def slot_free(self, sm, k):
        return sm.home[sm.p] > 0

    def place(self, sm, k):
        sm.home[sm.p] -= 1
        Gpu.place(self, sm, k)

    def free(self, k, b):
        sm, subs = k.resident[b][:2]
        sm.home[subs[0]] += 1
        Gpu.free(self, k, b)


class shared_aligned(Gpu):
    """A block's shared memory begins at a multiple of the least power of two that is not smaller than its size
    (as of buddies); room does not know it."""

    def start(self, sm, k, config):
        a = 1
        while a < k.s:
            a *= 2
        return next((up(x, a) for x, y in self.gaps(sm, config) if up(x, a) + k.s <= y), None)

    def shared_fit(self, sm, k):
        return self.gate(sm, k) and self.start(sm, k, self.config(sm, k)) is not None

    def interval(self, sm, k):
        return self.start(sm, k, sm.config)


class gate_exact(Gpu):
    """A busy TPC takes only kernels that prefer the very configuration that it has."""

    def gate(self, sm, k):
        return self.domain_idle(sm) or self.preferred(k) == sm.config


class local_wants_cache(Gpu):
    """Kernels with local memory prefer the least configuration that holds one block; the others as in
    Algorithm 1."""

    def occ(self, k):
        return 1 if k.local > 0 else Gpu.occ(self, k)


class warp_numbers(Gpu):
    """Each warp takes the lowest free one of the SM's 48 warp numbers; its subpartition is that number mod 4
    (the pointer is at the lowest free number)."""

    def setup(self):
        for sm in self.sms:
            sm.numbers = {}

    def lowest(self, sm):
        used = {n for held in sm.numbers.values() for n in held}
        return [n for n in range(48) if n not in used]

    def point(self, sm):
        free = self.lowest(sm)
        sm.p = free[0] % 4 if free else 0

    def warps_fit(self, sm, k):
        mine = self.lowest(sm)[:k.w]
        return len(mine) == k.w and all(sum(n % 4 == q for n in mine) <= c for q, c in enumerate(self.c(sm, k)))

    def sub(self, sm, k, i):
        return self.mine[i] % 4

    def place(self, sm, k):
        self.mine = self.lowest(sm)[:k.w]
        sm.numbers[k, k.placed] = self.mine
        Gpu.place(self, sm, k)

    def move(self, sm, k):
        self.point(sm)

    def free(self, k, b):
        sm = k.resident[b][0]
        del sm.numbers[k, b]
        Gpu.free(self, k, b)
        self.point(sm)


class warps_in_runs(Gpu):
    """Warp i goes to subpartition p + floor(4 i / w): four runs of consecutive warps."""

    def sub(self, sm, k, i):
        return (sm.p + 4 * i // k.w) % 4


class reserved_backfill(Gpu):
    """While the head waits, kernels behind it are tried in order, but not on the SM with fewest held warps
    (ties: first in order), which is kept for it."""

    def candidates(self):
        q = self.queue()
        self.head = q[0] if q else None
        self.kept = min(self.sms, key=lambda sm: (-sum(sm.warps), self.order[sm.n]))
        return q

    def fits(self, sm, k):
        return (k is self.head or sm is not self.kept) and Gpu.fits(self, sm, k)


class three_connections(Gpu):
    """Streams get three hardware connections in turn, as they launch first; kernels of one connection run one
    after another, as of one stream."""

    def join(self):
        lines = {}
        for k in self.launched:
            lines.setdefault(k.stream, len(lines) % 3)
        keep = [k.stream for k in self.launched]
        for k in self.launched:
            k.stream = lines[k.stream]
        Gpu.join(self)
        for k, stream in zip(self.launched, keep):
            k.stream = stream


class quantum_of_16(Gpu):
    """Kernels of the most urgent priority take turns of 16 blocks in the order of joining; only that whose
    turn it is is tried."""

    def setup(self):
        self.turn, self.given = (None, 0)

    def candidates(self):
        q = self.queue()
        top = [k for k in q if k.priority == q[0].priority]
        if not top:
            return []
        if self.turn not in top or self.given >= 16:
            after = self.turn.joined if self.turn else 0
            self.turn = next((k for k in top if k.joined > after), top[0])
            self.given = 0
        return [self.turn]

    def place(self, sm, k):
        self.given += 1
        Gpu.place(self, sm, k)

    def ended(self):
        self.turn, self.given = (None, 0)


class idle_gets_two(Gpu):
    """A pick of an SM that is idle places two blocks (if the second fits), any other one."""

    def choose(self, fit, k):
        sm = Gpu.choose(self, fit, k)
        self.many = 1 if sm.blocks else 2
        return sm

    def batch(self, k):
        return self.many


class scratch_ring(Gpu):
    """Instead of a configuration, a ring of 1 MiB of local memory for the device, of which a block holds 32 *
    local bytes per warp; without enough it waits, unless the device is idle."""

    def setup(self):
        self.ring = 0

    def local_waits(self, k):
        return not self.idle() and k.local > 0 and self.ring + 32 * k.local * k.w > 2 ** 20

    def place(self, sm, k):
        self.ring += 32 * k.local * k.w
        Gpu.place(self, sm, k)

    def free(self, k, b):
        self.ring -= 32 * k.local * k.w
        Gpu.free(self, k, b)


class preference_sync(Gpu):
    """A kernel that prefers another carve-out configuration than the kernel that began latest begins only on
    an idle device (CUDA's device-side synchronization point)."""

    def setup(self):
        self.latest = None

    def candidates(self):
        q = self.queue()[:1]
        if q and q[0].placed == 0 and not self.idle() and self.preferred(q[0]) != self.latest:
            return []
        return q

    def place(self, sm, k):
        if k.placed == 0:
            self.latest = self.preferred(k)
        Gpu.place(self, sm, k)


class cpc_carveout_and_two_levels(Gpu):
    """Two: a carve-out domain is a CPC of six SMs (0-5, 6-11, ...); and there are two priorities only, below 0
    and others."""

    def domain(self, sm):
        return [s for s in self.sms if s.n // 6 == sm.n // 6]

    def queue_key(self, k):
        return (k.priority >= 0, k.joined)


class even_first_and_three_kernels(Gpu):
    """Two: a grid's even blocks go first (ascending), then the odd ones; and at most three kernels are in the
    queue or resident."""

    def place(self, sm, k):
        i = k.placed
        other = k.resident.pop(i, None)
        Gpu.place(self, sm, k)
        mine = k.resident.pop(i)
        if other:
            k.resident[i] = other
        evens = (k.blocks + 1) // 2
        b = 2 * i if i < evens else 2 * (i - evens) + 1
        k.resident[b] = mine
        sm.blocks[-1] = (k, b)
        self.started[k.name]['block'][-1] = b

    def run(self, kernels, script):
        steps = Gpu.run(self, kernels, script)
        for step in steps:  # an answer has the blocks of a step in ascending order
            for s in step['started'].values():
                s['block'], s['sm'] = map(list, zip(*sorted(zip(s['block'], s['sm']))))
        return steps

    def join(self):
        keep = DEV['max_resident_kernels']
        DEV['max_resident_kernels'] = 3
        Gpu.join(self)
        DEV['max_resident_kernels'] = keep


class pages_and_single_steps(Gpu):
    """Two: shared memory is in pages of 2 KiB, of which any will do (a block has whole pages); and the warp
    pointer goes on by one behind each block, however wide."""

    def join(self):
        for k in self.launched:
            k.s = up(k.s, 2048)
        Gpu.join(self)

    def free_shared(self, sm, hold):
        # only how much is free counts: what is held is kept together at the beginning
        sizes = [b - a for a, b in sm.used]
        sizes.remove(hold[1] - hold[0])
        sm.used[:] = [(sum(sizes[:i]), sum(sizes[:i + 1])) for i in range(len(sizes))]

    def move(self, sm, k):
        sm.p = (sm.p + 1) % 4


class far_ties_and_registers_kept(Gpu):
    """Two: of most room the SM whose number is farthest from that of the kernel's latest block (then the
    order); and a block joins a busy SM only if 1,536 registers of each subpartition stay free."""

    def place(self, sm, k):
        k.latest = sm.n
        Gpu.place(self, sm, k)

    def key(self, sm, k):
        return (-self.room(sm, k), -abs(sm.n - getattr(k, 'latest', sm.n)), self.order[sm.n])

    def warps_fit(self, sm, k):
        if not Gpu.warps_fit(self, sm, k):
            return False
        need = [0] * 4
        for i in range(k.w):
            need[self.sub(sm, k, i)] += k.rw
        return not sm.blocks or all(r - n >= 1536 for r, n in zip(sm.regs, need))


if __name__ == '__main__':
    main(__name__)
