#!/usr/bin/env python3
"""A thirteenth sample of black boxes by somebody who did not know what a formula can say, nor how cuvier asks: what
papers, simulators and drivers do, each foreign.py's Algorithm 1 but for one thing. Eight read what is known when a
block is placed, eight remember from block to block or from kernel to kernel, eight are of release, priorities, streams
and waiting. Run as foreign.py:

    sample_13.py                      lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_13.py lfsr_ties' --out DIR
"""
from collections import Counter, deque

from foreign import *

SMS, WARPS = DEV['sms'], DEV['max_warps_per_sm']


def warps_on(sm):
    return sum(b[0].w for b in sm.blocks)


# Simple

class room_for_what_is_left(Gpu):
    """Room is no more than the number of blocks that the kernel has not placed yet."""

    def room(self, sm, k):
        return min(Gpu.room(self, sm, k), k.blocks - k.placed)


class wide_blocks_in_512s(Gpu):
    """Each warp of a block of more than eight takes registers in units of 512, where an idle SM can hold the block so;
    room and the preferred configuration know it."""

    def join(self):
        for k in self.launched:
            more = up(k.registers * 32, 512)
            if k.w > 8 and -(-k.w // 4) * more <= DEV['registers_per_sm'] // 4:
                k.rw = more
        Gpu.join(self)


class large_shared_in_2k(Gpu):
    """What a block of more than 16 KiB of dynamic shared memory takes, the reserved KiB included, is rounded up to a
    multiple of 2 KiB; room and the preferred configuration know it."""

    def join(self):
        for k in self.launched:
            if k.shared > 16384:
                k.s = up(k.s, 2048)
        Gpu.join(self)


class broken_wave_fills_up(Gpu):
    """Of a grid of more than 24 blocks those behind the last whole 24, if any, go to the SM with least room."""

    def key(self, sm, k):
        broken = SMS <= k.blocks - k.blocks % SMS <= k.placed
        return (self.room(sm, k) if broken else -self.room(sm, k), self.order[sm.n])


class evenest_subpartitions(Gpu):
    """Of most room the SM of whose subpartitions the one with most free warp slots has least more than that with
    fewest."""

    def key(self, sm, k):
        return (-self.room(sm, k), max(sm.warps) - min(sm.warps), self.order[sm.n])


class forty_beside_a_full_one(Gpu):
    """While all 48 warp slots of one SM of a TPC are held, the other takes no block that would give it more than 40
    warps."""

    def slot_free(self, sm, k):
        full = any(warps_on(s) == WARPS for s in self.domain(sm) if s is not sm)
        return sm.slots > 0 and (not full or warps_on(sm) + k.w <= WARPS - 8)


class folded_block_number(Gpu):
    """Of most room an SM comes first whose number leaves by four the XOR of the base-4 digits of the block's number."""

    def key(self, sm, k):
        b = k.placed
        slice_ = (b ^ b >> 2 ^ b >> 4 ^ b >> 6 ^ b >> 8 ^ b >> 10) % 4
        return (-self.room(sm, k), sm.n % 4 != slice_, self.order[sm.n])


class local_in_half_an_sm(Gpu):
    """Blocks with local memory hold 24 of an SM's warp slots at most, together, or there is only one of them."""

    def slot_free(self, sm, k):
        held = sum(b[0].w for b in sm.blocks if b[0].local)
        return sm.slots > 0 and (not k.local or not held or held + k.w <= WARPS // 2)


# These remember

class first_twelve_sms(Gpu):
    """A kernel that has had blocks on twelve SMs gets other ones only where none of these can take the block."""

    def choose(self, fit, k):
        k.had = getattr(k, 'had', [])
        sm = Gpu.choose(self, len(k.had) == 12 and [sm for sm in fit if sm in k.had] or fit, k)
        if sm not in k.had and len(k.had) < 12:
            k.had.append(sm)
        return sm


class stays_unless_two_better(Gpu):
    """A kernel's next block goes where its last one went, unless it does not fit there or another SM has room for more
    than two more."""

    def choose(self, fit, k):
        best, here = Gpu.choose(self, fit, k), getattr(k, 'here', None)
        k.here = here if here in fit and self.room(best, k) - self.room(here, k) <= 2 else best
        return k.here


class resting_tpc(Gpu):
    """One TPC rests, and its SMs come last: the first one for 32 blocks, then the next one, and so on, counted in the
    session."""

    def setup(self):
        self.count = 0

    def key(self, sm, k):
        resting = self.count // 32 % (SMS // 2)
        return (self.tpc[sm.n] == resting, -self.room(sm, k), self.order[sm.n])

    def place(self, sm, k):
        self.count += 1
        Gpu.place(self, sm, k)


class deficit_round_robin(Gpu):
    """SMs come in turn, in their order, and a turn adds credit for eight warps: an SM gets blocks as long as its credit
    is enough for them, keeps what is left, and loses it where the block does not fit. An idle device begins anew."""

    def choose(self, fit, k):
        if self.idle():
            self.at, self.credit = 0, [8] + [0] * (SMS - 1)
        ring = sorted(self.sms, key=lambda sm: self.order[sm.n])
        while ring[self.at] not in fit or self.credit[self.at] < k.w:
            if ring[self.at] not in fit:
                self.credit[self.at] = 0
            self.at = (self.at + 1) % SMS
            self.credit[self.at] += 8
        self.credit[self.at] -= k.w
        return ring[self.at]


class warm_instruction_cache(Gpu):
    """Of most room, SMs come first whose latest block in the session had as many threads and registers as this one."""

    def setup(self):
        self.code = [None] * SMS

    def key(self, sm, k):
        return (-self.room(sm, k), self.code[sm.n] != (k.threads, k.registers), self.order[sm.n])

    def place(self, sm, k):
        self.code[sm.n] = (k.threads, k.registers)
        Gpu.place(self, sm, k)


class refusers_come_last(Gpu):
    """SMs that could not have taken one of the eight blocks placed before this one come last; forgotten when the device
    is idle."""

    def setup(self):
        self.refused = deque(maxlen=8)

    def choose(self, fit, k):
        if self.idle():
            self.refused.clear()
        sm = min(fit, key=lambda sm: (any(sm in some for some in self.refused), self.key(sm, k)))
        self.refused.append([sm for sm in self.sms if sm not in fit])
        return sm


class limit_grows_with_exits(Gpu):
    """An SM holds four blocks at most, and one more for each block that has left it since it was idle."""

    def setup(self):
        self.exits = [0] * SMS

    def slot_free(self, sm, k):
        return sm.slots > 0 and len(sm.blocks) < 4 + self.exits[sm.n]

    def free(self, k, b):
        self.exits[k.resident[b][0].n] += 1
        Gpu.free(self, k, b)

    def sm_idle(self, sm):
        Gpu.sm_idle(self, sm)
        self.exits[sm.n] = 0


class lfsr_ties(Gpu):
    """Of most room the first SM in the order from the place on, modulo 24, that an 8-bit shift register with feedback
    says (1 on an idle device, one step for each block placed)."""

    def choose(self, fit, k):
        if self.idle():
            self.bits = 1
        sm = min(fit, key=lambda sm: (-self.room(sm, k), (self.rank(sm) - self.bits) % SMS))
        self.bits = self.bits >> 1 ^ (0xB8 if self.bits & 1 else 0)
        return sm

    def rank(self, sm):
        second, tpc = self.order[sm.n]
        return second * SMS // 2 + tpc


# Release, priorities, streams, waiting

class own_place_is_refilled(Gpu):
    """SMs that blocks of this kernel have left with the latest release come first, whatever the rooms: each of them for
    as many blocks as have left it."""

    def setup(self):
        self.left, self.over = Counter(), False

    def free(self, k, b):
        if self.over:
            self.setup()
        self.left[k, k.resident[b][0]] += 1
        Gpu.free(self, k, b)

    def released(self):
        self.over = True

    ended = setup

    def choose(self, fit, k):
        sm = Gpu.choose(self, [sm for sm in fit if self.left[k, sm] > 0] or fit, k)
        self.left[k, sm] -= 1
        return sm


class first_before_last(Gpu):
    """When the first kernel in the queue has one block left, and the second one has not begun, the second one's first
    block is tried before it, whatever their priorities."""

    def candidates(self):
        q = self.queue()[:2]
        if len(q) == 2 and q[0].blocks - q[0].placed == 1 and not q[1].placed:
            return [q[1], q[0]]
        return q[:1]


class slots_come_back_by_twos(Gpu):
    """A block slot that is given back counts as free only when a second one is, or when the SM is idle."""

    def setup(self):
        self.odd = set()

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if sm in self.odd:
            self.odd.remove(sm)
            sm.slots += 1
        elif sm.blocks:
            self.odd.add(sm)
            sm.slots -= 1


class release_turns_the_pointer(Gpu):
    """After a release the warp pointer of each SM that blocks have left, and that is not idle, is at the subpartition
    with most free warp slots (the lowest of equals)."""

    def setup(self):
        self.left = set()

    def free(self, k, b):
        self.left.add(k.resident[b][0])
        Gpu.free(self, k, b)

    def released(self):
        for sm in self.left:
            if sm.blocks:
                sm.p = sm.warps.index(max(sm.warps))
        self.left.clear()

    ended = released


class legacy_default_stream(Gpu):
    """A kernel without a named stream waits until all kernels launched before it in named ones are complete, and those
    in named streams wait for the ones without that were launched before them."""

    def join(self):
        def named(k):
            return k.stream != (k.name,)

        for i, k in enumerate(self.launched):
            running = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched)
            if (k.joined is None and running < DEV['max_resident_kernels']
                    and not any(e.is_incomplete() and (e.stream == k.stream or named(e) != named(k))
                                for e in self.launched[:i])):
                self.joins += 1
                k.joined = self.joins


class priority_of_the_stream(Gpu):
    """A kernel has the priority of the first one that was launched in its stream."""

    def queue_key(self, k):
        return (next(e.priority for e in self.launched if e.stream == k.stream), k.joined)


class one_passes_with_each_release(Gpu):
    """Each release lets one block of those behind the first kernel pass it while that fits nowhere, the first in the
    queue that can; what was not used does not add up."""

    def setup(self):
        self.open = False

    def candidates(self):
        return self.queue() if self.open else self.queue()[:1]

    def place(self, sm, k):
        if k is not self.queue()[0]:
            self.open = False
        Gpu.place(self, sm, k)

    def released(self):
        self.open = True

    ended = setup


class another_priority_wants_half(Gpu):
    """A kernel of another priority than that of the block placed latest begins only when at most half of the device's
    warp slots are held; nobody passes it."""

    def setup(self):
        self.latest = None

    def candidates(self):
        head = self.queue()[:1]
        if head and not head[0].placed and head[0].priority != self.latest:
            return head if sum(map(warps_on, self.sms)) <= SMS * WARPS // 2 else []
        return head

    def place(self, sm, k):
        self.latest = k.priority
        Gpu.place(self, sm, k)


if __name__ == '__main__':
    main(__name__)
