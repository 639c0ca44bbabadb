#!/usr/bin/env python3
"""A fourth sample of black boxes by somebody who did not know what a formula can say: Algorithm 1
but for one thing (16), or for two (the last 4). Run as foreign.py is:

    sample_04.py                           lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_04.py room_log2' --out DIR
"""
from foreign import *

N = DEV['sms']
WARPS = DEV['max_warps_per_sm']


def held(sm):
    """Warps that are resident on the SM."""
    return WARPS - sum(sm.warps)


# The choice of an SM

class shader_engines_strict(Gpu):
    """Four engines of six SMs (0-5, 6-11, ...) get blocks in strict turn, from the first one on an idle device; the
    block waits where its engine has no SM for it, and in the engine goes by room (AMD's shader engines)."""

    def setup(self):
        self.engine = 0

    def slot_free(self, sm, k):
        return sm.slots > 0 and sm.n // 6 == self.engine

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.engine = (self.engine + 1) % 4

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.engine = 0


class room_log2(Gpu):
    """Rooms are compared by their leading bit only: 1, 2-3, 4-7, 8-15 and 16 are each the same."""

    def key(self, sm, k):
        return (-self.room(sm, k).bit_length(), self.order[sm.n])


class slot_free_list(Gpu):
    """The device has one FIFO of free block slots (on an idle device one of each SM in order, 16 times over); a block
    takes the first in it whose SM can have the block, and a slot that becomes free is put at its end."""

    def setup(self):
        self.list = [n for _ in range(DEV['max_blocks_per_sm']) for n in sorted(range(N), key=lambda n: self.order[n])]

    def choose(self, fit, k):
        able = {sm.n for sm in fit}
        return self.sms[next(n for n in self.list if n in able)]

    def place(self, sm, k):
        self.list.remove(sm.n)
        Gpu.place(self, sm, k)

    def free(self, k, b):
        self.list.append(k.resident[b][0].n)
        Gpu.free(self, k, b)
        if self.idle():
            self.setup()


class same_config_first(Gpu):
    """Of most room, SMs whose TPC has (or, while idle, had last) another carve-out than the block prefers come last, so
    that it need not be changed; forgotten when the device is idle."""

    def key(self, sm, k):
        return (-self.room(sm, k), sm.config not in (None, self.preferred(k)), self.order[sm.n])

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            for sm in self.sms:
                sm.config = None


# How many blocks

class ramp_up(Gpu):
    """A kernel's first pick places one block, and each pick twice as many as the one before it, up to eight; where not
    all of a pick fit on the SM, the next pick begins with one again."""

    def batch(self, k):
        if not hasattr(k, 'many'):
            k.many = 1
        elif k.placed - k.at < k.many:
            k.many = 1
        else:
            k.many = min(2 * k.many, 8)
        k.at = k.placed
        return k.many


# When a kernel is tried

class retry_after_four_exits(Gpu):
    """A head for which no SM was found is tried again only once four more blocks have left the device, or when the
    device is idle."""

    def setup(self):
        self.exits = 0

    def candidates(self):
        q = self.queue()[:1]
        if not q or self.idle() or q[0].local > self.local:
            return q
        k = q[0]
        if hasattr(k, 'failed') and self.exits - k.failed < 4:
            return []
        if not any(self.fits(sm, k) for sm in self.sms):
            k.failed = self.exits
            return []
        return q

    def free(self, k, b):
        Gpu.free(self, k, b)
        self.exits += 1


# Priorities and fairness

class every_fourth_to_the_oldest(Gpu):
    """Every fourth block (counted since the device was idle) is of the queued kernel that joined first, whatever its
    priority, if that can be placed."""

    def setup(self):
        self.count = 0

    def candidates(self):
        q = self.queue()
        if q and self.count % 4 == 3:
            return [min(q, key=lambda k: k.joined), q[0]]
        return q[:1]

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.count += 1

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.count = 0


class realtime_tpcs(Gpu):
    """Once a block of a priority below 0 has been placed, the last two TPCs take such blocks only, until the device is
    idle."""

    def setup(self):
        self.realtime = False

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.priority < 0 or not self.realtime or sm.n < N - 2 * DEV['sms_per_tpc'])

    def place(self, sm, k):
        self.realtime = self.realtime or k.priority < 0
        Gpu.place(self, sm, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.realtime = False


# Warps and registers

class two_warps_together(Gpu):
    """A block of two warps has both in the subpartition at the pointer, which goes on by one behind it; its room is
    counted so, too."""

    def sub(self, sm, k, i):
        return sm.p if k.w == 2 else Gpu.sub(self, sm, k, i)

    def move(self, sm, k):
        if k.w == 2:
            sm.p = (sm.p + 1) % 4
        else:
            Gpu.move(self, sm, k)

    def room(self, sm, k):
        if k.w != 2:
            return Gpu.room(self, sm, k)
        pairs = [c // 2 for c in self.c(sm, k)]
        m = min(pairs)
        j = next(j for j in range(4) if pairs[(sm.p + j) % 4] == m)
        longest = max((b - a for a, b in self.gaps(sm, self.config(sm, k))), default=0)
        return min(sm.slots, 4 * m + j, longest // k.s)


class register_base_per_block(Gpu):
    """A block has one register base: the same free interval, of ceil(w / 4) warps' registers, in each of the four
    subpartitions (the lowest that suffices); warp slots are as ever."""

    def setup(self):
        self.held = {n: {} for n in range(N)}

    def size(self, k):
        return -(-k.w // 4) * k.rw

    def free_registers(self, sm):
        at, gaps = 0, []
        for a, b in sorted(self.held[sm.n].values()) + [(DEV['registers_per_sm'] // 4,) * 2]:
            if a > at:
                gaps.append((at, a))
            at = b
        return gaps

    def warps_fit(self, sm, k):
        need = [0] * 4
        for i in range(k.w):
            need[self.sub(sm, k, i)] += 1
        return (all(n <= c for n, c in zip(need, sm.warps)) and
                any(b - a >= self.size(k) for a, b in self.free_registers(sm)))

    def room(self, sm, k):
        m = min(sm.warps)
        j = next(j for j in range(4) if sm.warps[(sm.p + j) % 4] == m)
        registers = sum((b - a) // self.size(k) for a, b in self.free_registers(sm))
        longest = max((b - a for a, b in self.gaps(sm, self.config(sm, k))), default=0)
        return min(sm.slots, (4 * m + j) // k.w, registers, longest // k.s)

    def place(self, sm, k):
        a = next(a for a, b in self.free_registers(sm) if b - a >= self.size(k))
        self.held[sm.n][(k.name, k.placed)] = (a, a + self.size(k))
        Gpu.place(self, sm, k)

    def free(self, k, b):
        del self.held[k.resident[b][0].n][(k.name, b)]
        Gpu.free(self, k, b)


# Shared memory and its carve-out

class granule_by_config(Gpu):
    """Shared memory is given out in 64ths of the configuration that the TPC has (128 bytes of 8 KiB, 1,600 of 100 KiB):
    what a block takes is rounded up to that. The preferred configuration does not know it."""

    def rounded(self, sm, k):
        k.s = up(up(k.shared, 128) + 1024, self.config(sm, k) // 64)

    def preferred(self, k):
        now, k.s = k.s, up(k.shared, 128) + 1024
        want = Gpu.preferred(self, k)
        k.s = now
        return want

    def fits(self, sm, k):
        if self.domain_idle(sm) or self.gate(sm, k):
            self.rounded(sm, k)
            return Gpu.fits(self, sm, k)
        return False

    def room(self, sm, k):
        self.rounded(sm, k)
        return Gpu.room(self, sm, k)

    def place(self, sm, k):
        self.rounded(sm, k)
        Gpu.place(self, sm, k)


class no_coalescing(Gpu):
    """Intervals of shared memory that blocks give back are not merged with free neighbours until the SM is idle."""

    def setup(self):
        self.pieces = {}

    def gaps(self, sm, config):
        return sorted(self.pieces[sm.n]) if sm.blocks else [(0, config)]

    def place(self, sm, k):
        if not sm.blocks:
            config = self.config(sm, k)
            self.pieces[sm.n] = [(0, config)]
        Gpu.place(self, sm, k)
        a, b = sm.used[-1]
        piece = next(p for p in self.pieces[sm.n] if p[0] == a and p[1] >= b)
        self.pieces[sm.n].remove(piece)
        if piece[1] > b:
            self.pieces[sm.n].append((b, piece[1]))

    def free_shared(self, sm, hold):
        sm.used.remove(hold)
        self.pieces[sm.n].append(hold)


class carveout_shrinks_by_three_or_not(Gpu):
    """An idle TPC whose configuration is one or two steps larger than what the block prefers keeps it; also when the
    device was idle in between, but not from one probe to the next."""

    def config(self, sm, k):
        if not self.domain_idle(sm):
            return sm.config
        steps, want = DEV['shared_configs'], self.preferred(k)
        return sm.config if sm.config and 0 < steps.index(sm.config) - steps.index(want) < 3 else want

    def place(self, sm, k):
        if self.domain_idle(sm):
            config = self.config(sm, k)
            self.preferred = lambda k: config
            Gpu.place(self, sm, k)
            del self.preferred
        else:
            Gpu.place(self, sm, k)

    def ended(self):
        for sm in self.sms:
            sm.config = None


# Local memory

class local_pool_by_occupancy(Gpu):
    """What is compared and grows on the idle device is not a kernel's local memory per thread, but that of as many of
    its warps as an idle SM holds."""

    def setup(self):
        self.pool = 0

    def local_waits(self, k):
        need = k.local * k.w * self.occ(k)
        if self.idle():
            self.pool = max(self.pool, need)
        return need > self.pool


# What may be resident, and hysteresis

class shared_descriptors(Gpu):
    """A TPC has twelve shared-memory descriptors; each block with dynamic shared memory there takes one."""

    def slot_free(self, sm, k):
        if k.shared and sum(1 for s in self.domain(sm) for b in s.blocks if b[0].shared) >= 12:
            return False
        return sm.slots > 0


class switch_at_half(Gpu):
    """An SM changes to another kernel than that of its latest block only while at most half of its warp slots are
    held."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (not sm.blocks or sm.latest is k or 2 * held(sm) <= WARPS)

    def place(self, sm, k):
        sm.latest = k
        Gpu.place(self, sm, k)


# Two things at once

class pointer_per_switch_and_gate_one_step(Gpu):
    """Two: an SM's warp pointer also goes back to 0 when a block of another kernel than the latest one comes; and a
    busy TPC takes kernels that prefer up to one step more than it has, if the space suffices."""

    def setup(self):
        for sm in self.sms:
            sm.latest, sm.own = None, 0

    def point(self, sm, k):
        sm.p = sm.own if sm.blocks and sm.latest is k else 0

    def fits(self, sm, k):
        self.point(sm, k)
        return Gpu.fits(self, sm, k)

    def room(self, sm, k):
        self.point(sm, k)
        return Gpu.room(self, sm, k)

    def place(self, sm, k):
        self.point(sm, k)
        Gpu.place(self, sm, k)
        sm.latest, sm.own = k, sm.p

    def gate(self, sm, k):
        if self.domain_idle(sm):
            return True
        steps = DEV['shared_configs']
        return steps.index(self.preferred(k)) <= steps.index(sm.config) + 1


class two_heads_and_next_fit_shared(Gpu):
    """Two: while the head waits, the kernel right behind it is tried, but none further back; and the search for free
    shared memory goes on behind the SM's latest allocation and then begins at 0 (next fit; 0 on an idle SM)."""

    def candidates(self):
        return self.queue()[:2]

    def setup(self):
        self.at = [0] * N

    def interval(self, sm, k):
        gaps = self.gaps(sm, sm.config)
        behind = [max(a, self.at[sm.n]) for a, b in gaps if b - max(a, self.at[sm.n]) >= k.s]
        a = behind[0] if behind else Gpu.interval(self, sm, k)
        self.at[sm.n] = a + k.s
        return a

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.at[sm.n] = 0


class scratch_limits_warps_and_odd_subs_last(Gpu):
    """Two: a kernel with more local memory than configured does not wait for an idle device, but all resident warps'
    local memory may be 1,152 warps' of the configuration in all; and warps go to subpartitions p, p+2, p+1, p+3."""

    def local_waits(self, k):
        if self.idle():
            self.local = max(self.local, k.local)
        return False

    def slot_free(self, sm, k):
        used = sum(e.local * e.w * len(e.resident) for e in self.kernels) + k.local * k.w
        return sm.slots > 0 and (k.local == 0 or used <= self.local * N * WARPS)

    def sub(self, sm, k, i):
        return (sm.p + (0, 2, 1, 3)[i % 4]) % 4


class register_classes_and_late_from_the_end(Gpu):
    """Two: registers per thread are rounded up to a power of two where an idle SM can hold the block so (else to 8);
    and a kernel that joined while others were resident breaks ties from the end of the order."""

    def join(self):
        for k in self.launched:
            rw = 2 ** (max(k.registers, 8) - 1).bit_length() * 32
            if rw * -(-k.w // 4) <= DEV['registers_per_sm'] // 4:
                k.rw = rw
        Gpu.join(self)
        for k in self.launched:
            if k.joined is not None and not hasattr(k, 'late'):
                k.late = not self.idle()

    def key(self, sm, k):
        a, b = self.order[sm.n]
        return (-self.room(sm, k), (-a, -b) if k.late else (a, b))


if __name__ == '__main__':
    main(__name__)
