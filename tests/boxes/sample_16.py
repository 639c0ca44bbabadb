#!/usr/bin/env python3
"""A sixteenth sample of black boxes, by somebody who had not read the solver: easy, medium, narrow, and narrow ones
that ordinary workloads meet. A T4, but for two RTX 3090, each foreign.py's Algorithm 1 but for one thing. Run as
foreign.py is:

    sample_16.py                                lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/sample_16.py wear_levelling' --out DIR
"""
from foreign import *
from sample_14 import T4, Rtx3090
from sample_07 import Actions
from sample_12 import warps_on


# ---- easy

class chiplet_chunks(T4, Gpu):
    """Five chiplets of eight SMs; chunks of four blocks of a grid go to them in turn, elsewhere only where none there
    can take the block. Formula: selection=((sm / 8 - placed / 4) mod 5, -room)."""

    def key(self, sm, k):
        return ((sm.n // 8 - k.placed // 4) % 5, -self.room(sm, k), self.order[sm.n])


class bottleneck_subpartition(T4, Gpu):
    """The SM whose fullest subpartition has most free warp slots. No formula."""

    def key(self, sm, k):
        return (-min(sm.warps), self.order[sm.n])


class second_sms_three_quarters(T4, Gpu):
    """Binned power: the second SM of a TPC holds 24 warps at most. Formula: admission=sm mod 2 == 0 or warps + w <= 24."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (sm.n % 2 == 0 or warps_on(sm) + k.w <= 24)


class stale_rooms(T4, Actions, Gpu):
    """Rooms are read for all SMs at a launch, a release, a change of kernel and every eighth pick; between, the best of
    that table that comes next behind the latest choice. No formula."""

    def setup(self):
        self.action()
        self.at = -1

    def action(self):
        self.table, self.of, self.count = None, None, 0

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.setup()

    def choose(self, fit, k):
        if self.table is None or self.of is not k or self.count % 8 == 0:
            self.table, self.of, self.count = {s.n: self.room(s, k) for s in self.sms}, k, 0
        self.count += 1
        sm = min(fit, key=lambda s: (-self.table[s.n], (self.rank(s) - self.at - 1) % DEV['sms']))
        self.at = self.rank(sm)
        return sm


class packet_of_eight_warps(T4, Gpu):
    """A pick sends a packet of eight warps: as many blocks as that is, one at least. Formula: batch_size=max(8 / w, 1)."""

    def batch(self, k):
        return max(8 // k.w, 1)


class wear_levelling(T4, Gpu):
    """Ties begin a TPC further each time that the device has become idle (in the session). No formula."""

    def setup(self):
        self.idles = 0

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.idles += 1

    def key(self, sm, k):
        return (-self.room(sm, k), (self.rank(sm) - self.idles) % DEV['sms'])


# ---- medium

class wfq_by_warps(T4, Gpu):
    """Of one priority the kernel that was given the fewest warps. Formula: priority=(priority, placed * w, joined)."""

    def queue_key(self, k):
        return (k.priority, k.placed * k.w, k.joined)


class narrow_mode_until_idle(T4, Gpu):
    """An SM that has got a block of one or two warps takes none of 16 and more until it is idle.
    Formula: mark=chosen == 1 and w <= 2 ? 1 : blocks == 0 ? 0 : mark, admission=w < 16 or mark == 0."""

    def setup(self):
        self.narrow = set()

    def place(self, sm, k):
        Gpu.place(self, sm, k)
        if k.w <= 2:
            self.narrow.add(sm.n)

    def sm_idle(self, sm):
        sm.p = 0
        self.narrow.discard(sm.n)

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.w < 16 or sm.n not in self.narrow)


class shared_granule_by_width(T4, Gpu):
    """Shared memory is given out by 1 KiB to blocks of more than eight warps, else by 128 bytes; room and configuration
    know it. Formula: shared_granularity=w > 8 ? (bytes + 1023) / 1024 * 1024 : (bytes + 127) / 128 * 128."""

    def join(self):
        for k in self.kernels:
            k.s = up(k.shared, 1024 if k.w > 8 else 128) + 1024
        Gpu.join(self)


class slot_parity_start(Rtx3090, Gpu):
    """Register banks: a block that comes to an SM with an odd number of blocks begins two subpartitions further on.
    Room does not know. No formula."""

    def sub(self, sm, k, i):
        return (sm.p + 2 * (len(sm.blocks) % 2) + i) % 4


class second_sms_for_urgent(T4, Gpu):
    """While a block of a priority below 0 is resident, second SMs of TPCs take no others.
    Formula: admission=sm mod 2 == 0 or priority < 0 or device_urgent >= 0."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (sm.n % 2 == 0 or k.priority < 0 or
                                 not any(e.priority < 0 and e.resident for e in self.kernels))


class kernel_quota_per_gpc(Rtx3090, Gpu):
    """A kernel has 60 blocks at most on each group of twelve SMs (0-11, 12-23, ...). No formula."""

    def slot_free(self, sm, k):
        first = sm.n // 12 * 12
        return sm.slots > 0 and sum(b[0] is k for s in self.sms[first:first + 12] for b in s.blocks) < 60


class small_launch_fast_path(T4, Gpu):
    """Kernels of up to four blocks of up to two warps and no shared memory pass a head that waits.
    Formula: queue=blocks <= 4 and w <= 2 and bytes == 0."""

    def candidates(self):
        q = self.queue()
        return q[:1] + [k for k in q[1:] if k.blocks <= 4 and k.w <= 2 and not k.shared]


# ---- narrow

class big_grids_in_pairs(T4, Gpu):
    """Grids of more than 1,024 blocks are placed by pairs. Formula: batch_size=blocks > 1024 ? 2 : 1."""

    def batch(self, k):
        return 2 if k.blocks > 1024 else 1


class persistent_two_per_sm_linear(T4, Gpu):
    """The ties of a grid of exactly two blocks for each SM go by number.
    Formula: selection=(-room, placed + left == 2 * sms ? sm : rank)."""

    def key(self, sm, k):
        return (-self.room(sm, k), sm.n if k.blocks == 2 * DEV['sms'] else self.order[sm.n])


class third_tenant_fixed_start(T4, Gpu):
    """On an SM with blocks of two or more other kernels a block's warps begin at subpartition 0. Room does not know;
    the pointer moves as ever. No formula."""

    def sub(self, sm, k, i):
        other = len({id(b[0]) for b in sm.blocks if b[0] is not k})
        return (i if other >= 2 else sm.p + i) % 4


class fourth_wave_first_fit(T4, Gpu):
    """Once a kernel has placed three times what an idle device holds of it, its blocks go to the first SM in the order
    that can take them (a long tail is only refilled). No formula."""

    def key(self, sm, k):
        return (-self.room(sm, k) if k.placed < 3 * DEV['sms'] * self.occ(k) else 0, self.order[sm.n])


class three_priority_levels(T4, Gpu):
    """Priorities more urgent than -2 count as -2. Formula: priority=(max(priority, -2), joined)."""

    def queue_key(self, k):
        return (max(k.priority, -2), k.joined)


class keeps_off_veterans(T4, Actions, Gpu):
    """Of most room, SMs come last that hold a block which has been resident for sixteen launches or releases.
    No formula."""
    now = 0

    def action(self):
        self.now += 1

    def place(self, sm, k):
        b = k.placed
        Gpu.place(self, sm, k)
        if not hasattr(k, 'since'):
            k.since = {}
        k.since[b] = self.now

    def key(self, sm, k):
        old = any(self.now - e.since[b] >= 16 for e, b in sm.blocks)
        return (-self.room(sm, k), old, self.order[sm.n])


class spilling_urgent_kernels_do_not_wait(T4, Gpu):
    """A kernel of a priority below 0 that also has dynamic shared memory is not held up by local memory.
    No formula (local_memory reads no priority)."""

    def local_waits(self, k):
        if k.priority < 0 and k.shared > 0 and not self.idle():
            self.local = max(self.local, k.local)
            return False
        return Gpu.local_waits(self, k)



def same_shape(a, b):
    return (a.threads, a.registers, a.shared, a.local) == (b.threads, b.registers, b.shared, b.local)


class four_of_a_shape(T4, Gpu):
    """While three others of the very same shape (threads, registers, shared, local) are resident, ties go from the last
    SM down. (Batches of one kernel in four streams.) No formula."""

    def key(self, sm, k):
        alike = sum(e is not k and bool(e.resident) and same_shape(e, k) for e in self.kernels)
        return (-self.room(sm, k), -self.rank(sm) if alike >= 3 else self.rank(sm))


class two_of_a_shape(T4, Gpu):
    """The same while one other is."""

    def key(self, sm, k):
        alike = sum(e is not k and bool(e.resident) and same_shape(e, k) for e in self.kernels)
        return (-self.room(sm, k), -self.rank(sm) if alike >= 1 else self.rank(sm))


class loop_iterations_keep_places(T4, Gpu):
    """A kernel that has the shape and grid of the one before it in its stream (a loop) has its blocks go where that
    one's were, as far as they fit. No formula."""

    def choose(self, fit, k):
        before = [e for e in self.launched[:self.launched.index(k)] if e.stream == k.stream]
        if before and same_shape(before[-1], k) and before[-1].blocks == k.blocks:
            sm = before[-1].at.get(k.placed)
            if sm in fit:
                return sm
        return Gpu.choose(self, fit, k)

    def place(self, sm, k):
        b = k.placed
        Gpu.place(self, sm, k)
        if not hasattr(k, 'at'):
            k.at = {}
        k.at[b] = sm


class ring_of_512_launches(T4, Actions, Gpu):
    """Every 512th launch of a session waits until the device is idle (a ring of launches wraps), and those behind it
    wait, too. No formula."""

    def setup(self):
        self.launches = 0

    def action(self):
        pass

    def join(self):
        while self.known < len(self.launched):
            self.launches += 1
            if self.launches % 512 == 0:
                self.launched[self.known].flush = True
            self.known += 1
        Gpu.join(self)

    def local_waits(self, k):
        if getattr(k, 'flush', False) and not k.placed and not self.idle():
            return True
        return Gpu.local_waits(self, k)



class ready_together_last_first(T4, Gpu):
    """Kernels that become ready with the same release (several streams go on at once) join in reverse order of their
    launches. No formula."""

    def join(self):
        ready = []
        for i, k in enumerate(self.launched):
            if k.joined is None and not any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i]):
                ready.append(k)
        for k in reversed(ready):
            running = [e for e in self.launched if e.joined is not None and e.is_incomplete()]
            if len(running) < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins


class gemm_chain(T4, Gpu):
    """Of a kernel that follows another in its stream, both with dynamic shared memory and more than 64 registers, ties
    go by number. No formula."""

    def key(self, sm, k):
        before = [e for e in self.launched[:self.launched.index(k)] if e.stream == k.stream]
        heavy = before and all(e.shared > 0 and e.registers > 64 for e in (k, before[-1]))
        return (-self.room(sm, k), sm.n if heavy else self.rank(sm))



class spillers_two_on_an_sm(T4, Gpu):
    """An SM takes a block that spills (local memory, and more than 64 registers a thread) only while it holds fewer than
    two blocks. Formula: admission=local == 0 or registers <= 64 or blocks < 2."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.local == 0 or k.registers <= 64 or len(sm.blocks) < 2)



class ready_together_last_first2(T4, Gpu):
    """Kernels whose streams become ready with the same release join in reverse order of their launches; those that only
    wait for a slot of a resident kernel join as ever. No formula."""
    events = 0

    def join(self):
        self.events += 1
        ready = []
        for i, k in enumerate(self.launched):
            if k.joined is None and not any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i]):
                if not hasattr(k, 'ready'):
                    k.ready = self.events
                ready.append((k.ready, -i, k))
        for _, _, k in sorted(ready, key=lambda r: r[:2]):
            running = [e for e in self.launched if e.joined is not None and e.is_incomplete()]
            if len(running) < DEV['max_resident_kernels']:
                self.joins += 1
                k.joined = self.joins



if __name__ == '__main__':
    main(__name__)
