#!/usr/bin/env python3
"""A seventeenth sample of black boxes, by somebody who did not know how cuvier asks: easy, medium, narrow, and such as
ordinary workloads meet more often than small probes. A T4, but for three RTX 3090, each foreign.py's Algorithm 1 but
for one thing. Run as foreign.py is:

    sample_17.py                                lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_17.py two_dispatch_ports' --out DIR
"""
from collections import Counter

from foreign import *
from sample_14 import T4, Rtx3090
from sample_07 import Actions
from sample_12 import own


# ---- easy

class two_dispatch_ports(T4, Gpu):
    """TPCs of even and of odd number have a port each, and picks go to them by turns, whatever the rooms, if an SM
    there can take the block; an idle device begins with the odd ones.
    Formula: selection=((sm / 2 + picks + 1) mod 2, -room)."""

    def choose(self, fit, k):
        if self.idle():
            self.picks = 0
        sm = min(fit, key=lambda sm: ((sm.n // 2 + self.picks + 1) % 2, self.key(sm, k)))
        self.picks += 1
        return sm


class fewest_threads(T4, Gpu):
    """The SM with the fewest resident threads, which are counted as launched, not in whole warps. No formula (selection
    reads no threads)."""

    def key(self, sm, k):
        return (sum(b[0].threads for b in sm.blocks), self.order[sm.n])


class pairs_while_alone(T4, Gpu):
    """A pick places two blocks as long as no other kernel is in the queue or resident. No formula."""

    def batch(self, k):
        return 1 if any(e is not k and e.joined is not None and e.is_incomplete() for e in self.launched) else 2


class one_pointer_for_the_device(T4, Gpu):
    """All SMs have one warp pointer, which every block moves and only an idle device puts back. No formula."""

    def move(self, sm, k):
        Gpu.move(self, sm, k)
        for s in self.sms:
            s.p = sm.p

    def sm_idle(self, sm):
        if self.idle():
            for s in self.sms:
                s.p = 0


class same_width_passes(T4, Gpu):
    """Kernels whose blocks have as many warps as those of a head that waits pass it. Formula: queue=w == head_warps."""

    def candidates(self):
        q = self.queue()
        return q[:1] + [k for k in q[1:] if k.w == q[0].w]


class longest_rest_first(T4, Gpu):
    """Of one priority the kernel with the most blocks left. Formula: priority=(priority, placed - blocks, joined)."""

    def queue_key(self, k):
        return (k.priority, k.placed - k.blocks, k.joined)


class as_few_sms_as_it_needs(T4, Gpu):
    """A kernel with blocks on as many SMs as its grid could fill (blocks by what an idle SM holds, rounded up) gets
    another SM only where none of these can take the block. No formula."""

    def choose(self, fit, k):
        mine = {s for s, *_ in k.resident.values()}
        if len(mine) >= -(-k.blocks // self.occ(k)):
            fit = [sm for sm in fit if sm in mine] or fit
        return Gpu.choose(self, fit, k)


class at_least_64_registers(Rtx3090, Gpu):
    """A kernel of fewer than 64 registers a thread takes as many; room and the preferred configuration know it.
    Formula: register_granularity=(max(registers, 64) * 32 + 255) / 256 * 256."""

    def join(self):
        for k in self.kernels:
            k.rw = up(max(k.registers, 64) * 32, 256)
        Gpu.join(self)


# ---- medium

class half_a_kib_is_always_there(T4, Gpu):
    """The driver reserves 512 bytes of local memory a thread from the start: kernels that need no more never wait for
    it. Formula: local_memory=local > max(grown, 512)."""

    def local_waits(self, k):
        if k.local <= 512:
            self.local = max(self.local, k.local)
            return False
        return Gpu.local_waits(self, k)


class reserve_only_with_dynamic(T4, Gpu):
    """The runtime takes its KiB only of blocks with dynamic shared memory; others take none at all.
    Formula: runtime_shared=bytes > 0 ? 1024 : 0."""

    def join(self):
        for k in self.kernels:
            k.s = up(k.shared, 128) + 1024 if k.shared else 0
        Gpu.join(self)

    def shared_fit(self, sm, k):
        return Gpu.shared_fit(self, sm, k) if k.s else self.gate(sm, k)


class wasteful_guests_are_refused(Rtx3090, Gpu):
    """A busy TPC takes no kernel that prefers less than a quarter of its configuration, either (the L1 would stay
    small). Formula: config_gate=preferred <= current and 4 * preferred >= current."""

    def gate(self, sm, k):
        return self.domain_idle(sm) or self.preferred(k) <= sm.config <= 4 * self.preferred(k)


class leader_keeps_its_slot(T4, Gpu):
    """The block slot of a kernel's first block comes back only when the kernel has no block left without a place (it
    holds the kernel's launch state); all else comes back at once. No formula."""

    def setup(self):
        self.kept = {}

    def free(self, k, b):
        sm = k.resident[b][0]
        Gpu.free(self, k, b)
        if b == 0 and k.placed < k.blocks:
            self.kept[k] = sm
            sm.slots -= 1

    def give_back(self, k):
        if k in self.kept:
            self.kept.pop(k).slots += 1

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        if k.placed == k.blocks:
            self.give_back(k)

    def ended(self):
        for k in list(self.kept):
            self.give_back(k)


class sm_of_one_priority(T4, Gpu):
    """An SM holds blocks of one priority at a time. Formula: admission=blocks == 0 or urgent == priority."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and all(b[0].priority == k.priority for b in sm.blocks)


class spilling_kernels_take_512(T4, Gpu):
    """Warps of kernels with local memory take registers by 512, where an idle SM can hold a block so; room and the
    preferred configuration know it. No formula (register_granularity reads no local memory)."""

    def join(self):
        for k in self.kernels:
            rw = up(k.registers * 32, 512)
            if k.local and -(-k.w // 4) * rw <= DEV['registers_per_sm'] // 4:
                k.rw = rw
        Gpu.join(self)


class carveout_for_one_more(Rtx3090, Gpu):
    """The preferred configuration is for one block more than an idle SM holds (whose inputs are fetched ahead).
    Formula: config_occupancy=min(blocks, 4 * min(slots, file / warp_registers) / w, in_space) + 1."""

    def preferred(self, k):
        want = (self.occ(k) + 1) * k.s
        return next((c for c in DEV['shared_configs'] if c >= want), DEV['shared_configs'][-1])


class heavy_kernels_on_24_sms(T4, Gpu):
    """Peak current: blocks of more than 128 registers a thread, of whatever kernels, are on 24 SMs at once, at most.
    No formula."""

    def heavy(self, sm):
        return any(b[0].registers > 128 for b in sm.blocks)

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.registers <= 128 or self.heavy(sm) or sum(map(self.heavy, self.sms)) < 24)


# ---- narrow

class thirty_two_kernels_at_once(T4, Gpu):
    """No more than 32 kernels are in the queue or resident (a share of a device that says 128). No formula."""

    def join(self):
        for i, k in enumerate(self.launched):
            if k.joined is not None or any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i]):
                continue
            if sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched) < 32:
                self.joins += 1
                k.joined = self.joins


class no_shrinking_beside_the_urgent(T4, Gpu):
    """While a more urgent block is resident anywhere, an idle TPC does not take a smaller configuration than it had
    last (in the session). No formula."""

    def config(self, sm, k):
        if self.domain_idle(sm) and any(e.priority < k.priority and e.resident for e in self.kernels):
            return max(self.preferred(k), sm.config or 0)
        return Gpu.config(self, sm, k)

    def place(self, sm, k):
        config = self.config(sm, k)
        Gpu.place(self, sm, k)
        for s in self.domain(sm):
            s.config = config


class stream_holds_eight_launches(T4, Gpu):
    """Of one stream eight launches can wait to join. A ninth blocks the host: it and whatever is launched behind it, in
    any stream, are submitted only once one of the eight has joined. No formula."""

    def join(self):
        waiting = Counter()
        for i, k in enumerate(self.launched):
            if k.joined is None:
                if waiting[k.stream] == 8:
                    return
                running = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched)
                if any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i]) or \
                        running >= DEV['max_resident_kernels']:
                    waiting[k.stream] += 1
                else:
                    self.joins += 1
                    k.joined = self.joins


class one_completion_at_a_time(T4, Actions, Gpu):
    """Of kernels that are complete with the same release, only the one that joined first lets its stream go on; streams
    of the others go on with the next launch or release. What they held is free at once. No formula."""

    def action(self):
        complete = [k for k in self.launched if k.joined is not None and not k.is_incomplete()]
        new = sorted((k for k in complete if not hasattr(k, 'unnoticed')), key=lambda k: k.joined)
        for k in complete:
            k.unnoticed = k in new[1:]

    def join(self):
        if len(self.launched) > self.known:
            self.known = len(self.launched)
            self.action()
        for i, k in enumerate(self.launched):
            before = [e for e in self.launched[:i] if e.stream == k.stream]
            if k.joined is not None or any(e.is_incomplete() or getattr(e, 'unnoticed', False) for e in before):
                continue
            running = sum(e.joined is not None and bool(e.is_incomplete()) for e in self.launched)
            if running < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins


class realtime_level(T4, Gpu):
    """While a block of priority -5 is resident, no kernel of priority 0 begins; those that have begun go on.
    Formula: admission=priority != 0 or placed > 0 or device_urgent > -5."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.priority != 0 or k.placed > 0 or
                                 not any(e.priority == -5 and e.resident for e in self.kernels))


class upper_half_sleeps(T4, Gpu):
    """When the device has become idle four times in a row (in the session) without that more than 20 SMs held blocks at
    once, SMs 20 to 39 come last, whatever the rooms, until more than 20 SMs hold blocks. No formula."""

    def setup(self):
        self.small = self.most = 0

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        self.most = max(self.most, sum(bool(s.blocks) for s in self.sms))
        if self.most > 20:
            self.small = 0

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.small += self.most <= 20
            self.most = 0

    def key(self, sm, k):
        return (self.small >= 4 and sm.n >= 20, -self.room(sm, k), self.order[sm.n])


# ---- ordinary

class stream_keeps_its_place(T4, Gpu):
    """Of one priority, kernels queue by when the first kernel of their stream joined, not by when they did themselves.
    (Stream-parallel inference: the oldest request goes on first.) No formula."""

    def queue_key(self, k):
        first = next(e for e in self.launched if e.stream == k.stream)
        return (k.priority, first.joined, k.joined)


class collectives_spread_over_tpcs(T4, Gpu):
    """Of a grid of up to 20 blocks of 16 warps and more (an all-reduce), TPCs that hold fewer of its blocks come first,
    whatever the rooms. Formula: selection=(placed + left <= 20 and w >= 16 ? tpc_own : 0, -room)."""

    def key(self, sm, k):
        mine = sum(own(s, k) for s in self.domain(sm)) if k.blocks <= 20 and k.w >= 16 else 0
        return (mine, -self.room(sm, k), self.order[sm.n])


class exact_fill_wants_an_idle_device(T4, Gpu):
    """A kernel of exactly as many blocks as an idle device holds of it (a persistent megakernel) begins only on an idle
    device; those behind it wait, too. No formula."""

    def local_waits(self, k):
        if not k.placed and k.blocks == DEV['sms'] * self.occ(k) and not self.idle():
            return True
        return Gpu.local_waits(self, k)


class recognises_a_replay(T4, Gpu):
    """Where a kernel and the one before it in its stream ask for what two that followed each other there earlier,
    before these, asked for (grids and shapes), the kernel's ties go from the last SM down. (A graph is replayed.) No
    formula."""

    def replayed(self, k):
        if not hasattr(k, 'again'):
            line = [(e.blocks, e.threads, e.registers, e.shared, e.local)
                    for e in self.launched[:self.launched.index(k) + 1] if e.stream == k.stream]
            k.again = any(line[i:i + 2] == line[-2:] for i in range(len(line) - 3))
        return k.again

    def key(self, sm, k):
        return (-self.room(sm, k), -self.rank(sm) if self.replayed(k) else self.rank(sm))


if __name__ == '__main__':
    main(__name__)
