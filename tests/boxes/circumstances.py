#!/usr/bin/env python3
"""Black boxes that follow Algorithm 1, but where one circumstance is given the block goes to the SM with the fewest
resident warps. Who never asks in that circumstance never sees it. Run as foreign.py is:

    circumstances.py                             lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/circumstances.py many_resident_kernels' --out DIR
"""
from foreign import *

N = DEV['sms']


class Circumstance(Gpu):
    """Algorithm 1, as the circumstance is never given; the others say when it is."""

    def now(self, k):
        return False

    def key(self, sm, k):
        return (sum(b[0].w for b in sm.blocks) if self.now(k) else -self.room(sm, k), self.order[sm.n])

    def kernels_resident(self):
        return sum(1 for k in self.launched if k.resident)

    def share(self, held, of_each):
        return sum(held(sm) for sm in self.sms) / (N * of_each)


class many_resident_kernels(Circumstance):
    """More than 20 kernels have resident blocks."""

    def now(self, k):
        return self.kernels_resident() > 20


class many_queued_kernels(Circumstance):
    """More than six kernels have blocks without a place."""

    def now(self, k):
        return len(self.queue()) > 6


class late_kernel(Circumstance):
    """The kernel is the twentieth of its sequence or a later one."""

    def now(self, k):
        return k.index >= 19


class late_block(Circumstance):
    """The block is the hundredth of its kernel or a later one."""

    def now(self, k):
        return k.placed >= 99


class four_kernels_on_an_sm(Circumstance):
    """Some SM holds blocks of four kernels or more."""

    def now(self, k):
        return any(len({id(b[0]) for b in sm.blocks}) >= 4 for sm in self.sms)


class much_shared_memory_held(Circumstance):
    """Half of the device's shared memory is held."""

    def now(self, k):
        return self.share(lambda sm: sum(b - a for a, b in sm.used), DEV['shared_configs'][-1]) >= 0.5


class most_registers_held(Circumstance):
    """Three quarters of the device's registers are held, and a block has at most two warps."""

    def now(self, k):
        held = self.share(lambda sm: sum(b[0].rw * b[0].w for b in sm.blocks), DEV['registers_per_sm'])
        return k.w <= 2 and held >= 0.75


class three_priorities(Circumstance):
    """Blocks of three priorities or more are resident."""

    def now(self, k):
        return len({b[0].priority for sm in self.sms for b in sm.blocks}) >= 3


class many_releases(Circumstance):
    """Ten actions or more released blocks since the device was idle."""

    def setup(self):
        self.count = 0

    def now(self, k):
        if self.idle():
            self.count = 0
        return self.count >= 10

    def released(self):
        self.count = 0 if self.idle() else self.count + 1


class like_the_kernel_before(Circumstance):
    """The kernel asks for the same as the one launched before it, and has local memory."""

    def now(self, k):
        at = self.launched.index(k)
        asks = [(e.threads, e.registers, e.shared, e.local) for e in self.launched]
        return at > 0 and k.local > 0 and asks[at] == asks[at - 1]


class wide_beside_narrow(Circumstance):
    """A block of 16 warps or more comes while one of a single warp is resident."""

    def now(self, k):
        return k.w >= 16 and any(b[0].w == 1 for sm in self.sms for b in sm.blocks)


class waiting_behind_a_stream(Circumstance):
    """Kernels wait for their stream, two or more."""

    def now(self, k):
        return sum(1 for e in self.launched if e.joined is None) >= 2


class odd_threads_and_shared(Circumstance):
    """The block's last warp is not whole, and it asks for more than 16 KiB of shared memory."""

    def now(self, k):
        return k.threads % 32 > 0 and k.shared > 16384


class urgent_with_local(Circumstance):
    """The kernel has a priority and local memory, and others are resident."""

    def now(self, k):
        return k.priority < 0 and k.local > 0 and not self.idle()


class one_sm_idle(Circumstance):
    """Just one SM is idle."""

    def now(self, k):
        return sum(1 for sm in self.sms if not sm.blocks) == 1


class full_sms(Circumstance):
    """Half of the SMs have no block slot left."""

    def now(self, k):
        return sum(1 for sm in self.sms if sm.slots == 0) * 2 >= N


if __name__ == '__main__':
    main(__name__)
