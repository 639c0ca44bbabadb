#!/usr/bin/env python3
"""Black boxes that share no line with cuvier: Algorithm 1 by docs/reference/scheduler.md, and classes
that differ from it in one thing that no hypothesis says. Each is an oracle:

    foreign.py                             lists them
    cuvier infer --oracle 'exec:python3 tests/boxes/foreign.py newest_first' --out DIR
"""
import json
import sys

DEV = {
 "name": "foreign", "architecture": "sm_86", "sms": 24, "sms_per_tpc": 2, "subpartitions": 4,
 "max_blocks_per_sm": 16, "max_warps_per_sm": 48, "max_threads_per_block": 1024, "max_registers_per_thread": 255,
 "registers_per_sm": 65536, "shared_configs": [8192, 16384, 32768, 65536, 102400], "max_shared_per_block": 101376,
 "max_resident_kernels": 128}


def up(a, b):
    return -(-a // b) * b


class Kernel:

    def __init__(self, name, k, index):
        self.name, self.index = (name, index)
        self.blocks, self.threads, self.registers = (k['blocks'], k['threads'], k['registers'])
        self.shared, self.local = (k.get('shared', 0), k.get('local', 0))
        self.stream, self.priority = (k.get('stream', (name,)), k.get('priority', 0))
        self.w = -(-self.threads // 32)
        self.rw = up(self.registers * 32, 256)
        self.s = up(self.shared, 128) + 1024
        self.placed = 0
        self.resident = {}
        self.joined = None

    def is_incomplete(self):
        return self.placed < self.blocks or self.resident


class SM:

    def __init__(self, n):
        self.n = n
        self.slots = DEV['max_blocks_per_sm']
        self.warps = [DEV['max_warps_per_sm'] // 4] * 4
        self.regs = [DEV['registers_per_sm'] // 4] * 4
        self.p = 0
        self.used = []
        self.blocks = []
        self.config = None
        self.last = -1


class Gpu:
    """Algorithm 1."""
    subs = 4

    def __init__(self):
        self.sms = [SM(i) for i in range(DEV['sms'])]
        self.local = 0
        self.time = 0
        self.tpc = [i // DEV['sms_per_tpc'] for i in range(DEV['sms'])]
        n = DEV['sms_per_tpc']
        self.order = {sm: (sm % n, sm // n) for sm in range(DEV['sms'])}
        self.setup()

    def setup(self):
        pass

    def domain(self, sm):
        return [s for s in self.sms if self.tpc[s.n] == self.tpc[sm.n]]

    def domain_idle(self, sm):
        return not any((s.blocks for s in self.domain(sm)))

    def idle(self):
        return not any((s.blocks for s in self.sms))

    def c(self, sm, k):
        return [min(sm.warps[q], sm.regs[q] // k.rw) for q in range(4)]

    def sub(self, sm, k, i):
        return (sm.p + i) % 4

    def skip(self, sm, k):
        return 1 if k.w % 4 == 0 else 0

    def warps_fit(self, sm, k):
        need = [0] * 4
        for i in range(k.w):
            need[self.sub(sm, k, i)] += 1
        return all((n <= c for n, c in zip(need, self.c(sm, k))))

    def occ(self, k):
        per = min(DEV['max_warps_per_sm'] // 4, DEV['registers_per_sm'] // 4 // k.rw)
        o = min(DEV['max_blocks_per_sm'], 4 * per // k.w)
        if k.s:
            o = min(o, DEV['shared_configs'][-1] // k.s)
        return max(o, 1)

    def preferred(self, k):
        want = self.occ(k) * k.s
        return next((c for c in DEV['shared_configs'] if c >= want), DEV['shared_configs'][-1])

    def config(self, sm, k):
        return self.preferred(k) if self.domain_idle(sm) else sm.config

    def gaps(self, sm, config):
        at, gaps = (0, [])
        for a, b in sorted(sm.used):
            if a > at:
                gaps.append((at, a))
            at = max(at, b)
        if config > at:
            gaps.append((at, config))
        return gaps

    def gate(self, sm, k):
        return self.domain_idle(sm) or self.preferred(k) <= sm.config

    def shared_fit(self, sm, k):
        if not self.gate(sm, k):
            return False
        return any((b - a >= k.s for a, b in self.gaps(sm, self.config(sm, k))))

    def slot_free(self, sm, k):
        return sm.slots > 0

    def fits(self, sm, k):
        return self.slot_free(sm, k) and self.warps_fit(sm, k) and self.shared_fit(sm, k)

    def room(self, sm, k):
        c = self.c(sm, k)
        m = min(c)
        j = next((j for j in range(4) if c[(sm.p + j) % 4] == m))
        limit = (4 * m + j) // k.w
        longest = max((b - a for a, b in self.gaps(sm, self.config(sm, k))), default=0)
        return min(sm.slots, limit, longest // k.s if k.s else 10 ** 9)

    def key(self, sm, k):
        return (-self.room(sm, k), self.order[sm.n])

    def choose(self, fit, k):
        return min(fit, key=lambda sm: self.key(sm, k))

    def local_waits(self, k):
        if self.idle():
            self.local = max(self.local, k.local)
            return False
        return k.local > self.local

    def queue_key(self, k):
        return (k.priority, k.joined)

    def queue(self):
        queued = [k for k in self.kernels if k.joined is not None and k.placed < k.blocks]
        return sorted(queued, key=self.queue_key)

    def candidates(self):
        return self.queue()[:1]

    def batch(self, k):
        return 1

    def place(self, sm, k):
        if self.domain_idle(sm):
            for s in self.domain(sm):
                s.config = self.preferred(k)
        subs = [self.sub(sm, k, i) for i in range(k.w)]
        for q in subs:
            sm.warps[q] -= 1
            sm.regs[q] -= k.rw
        hold = None
        if k.s:
            a = self.interval(sm, k)
            hold = (a, a + k.s)
            sm.used.append(hold)
        sm.slots -= 1
        self.move(sm, k)
        b = k.placed
        k.placed += 1
        k.resident[b] = (sm, subs, hold, k.rw)
        sm.blocks.append((k, b))
        self.time += 1
        sm.last = self.time
        s = self.started.setdefault(k.name, {'block': [], 'sm': []})
        s['block'].append(b)
        s['sm'].append(self.seen(sm))

    def seen(self, sm):
        return sm.n

    def move(self, sm, k):
        sm.p = (sm.p + k.w + self.skip(sm, k)) % 4

    def interval(self, sm, k):
        return next(a for a, b in self.gaps(sm, sm.config) if b - a >= k.s)

    def free(self, k, b):
        sm, subs, hold, rw = k.resident.pop(b)
        for q in subs:
            sm.warps[q] += 1
            sm.regs[q] += rw
        if hold:
            self.free_shared(sm, hold)
        sm.slots += 1
        sm.blocks.remove((k, b))
        if not sm.blocks:
            self.sm_idle(sm)

    def free_shared(self, sm, hold):
        sm.used.remove(hold)

    def sm_idle(self, sm):
        sm.p = 0

    def dispatch(self):
        while True:
            done = True
            for k in self.candidates():
                if self.local_waits(k):
                    continue
                fit = [sm for sm in self.sms if self.fits(sm, k)]
                if not fit:
                    continue
                sm = self.choose(fit, k)
                n = self.batch(k)
                self.place(sm, k)
                while n > 1 and k.placed < k.blocks and self.fits(sm, k):
                    self.place(sm, k)
                    n -= 1
                done = False
                break
            if done:
                return

    def join(self):
        for i, k in enumerate(self.launched):
            if k.joined is not None:
                continue
            if any(e.stream == k.stream and e.is_incomplete() for e in self.launched[:i]):
                continue
            running = [e for e in self.launched if e.joined is not None and e.is_incomplete()]
            if len(running) >= DEV['max_resident_kernels']:
                continue
            self.joins += 1
            k.joined = self.joins

    def run(self, kernels, script):
        self.kernels = [Kernel(n, k, i) for i, (n, k) in enumerate(kernels.items())]
        by = {k.name: k for k in self.kernels}
        self.launched, self.joins = ([], 0)
        steps = []
        for action in script:
            self.started = {}
            if 'launch' in action:
                self.launched.append(by[action['launch']])
                self.join()
                self.dispatch()
            else:
                for what in action['release']:
                    k = by[what if isinstance(what, str) else what['kernel']]
                    for b in sorted(k.resident) if isinstance(what, str) else what['blocks']:
                        if b in k.resident:
                            self.free(k, b)
                self.released()
                self.dispatch()
                while True:
                    before = self.joins
                    self.join()
                    if self.joins == before:
                        break
                    self.dispatch()
            steps.append({'started': self.started})
        self.started = {}
        for k in self.kernels:
            k.placed = k.blocks
            for b in list(k.resident):
                self.free(k, b)
        self.ended()
        return steps

    def released(self):
        pass

    def ended(self):
        pass


class most_free_registers(Gpu):

    def key(self, sm, k):
        return (-sum(sm.regs), self.order[sm.n])


class newest_first(Gpu):

    def queue_key(self, k):
        return (k.priority, -k.joined)


class kernels_alternate(Gpu):

    def setup(self):
        self.turn = None

    def candidates(self):
        q = self.queue()
        top = [k for k in q if k.priority == q[0].priority] if q else []
        top.sort(key=lambda k: (k.placed, k.joined))
        return top[:1]


class triples(Gpu):

    def batch(self, k):
        return 3 if k.blocks - k.placed > 2 * DEV['sms'] else 1


class four_of_a_kernel(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and sum((1 for b in sm.blocks if b[0] is k)) < 4


class one_sm_for_small(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and (sm.n != 5 or k.w <= 4)


class warps_in_twos(Gpu):

    def sub(self, sm, k, i):
        return (sm.p + i // 2) % 4


class least_recent(Gpu):

    def key(self, sm, k):
        return (-self.room(sm, k), sm.last)


class order_by_kernel(Gpu):

    def key(self, sm, k):
        return (-self.room(sm, k), (self.order[sm.n][0] + k.index) % 2, self.order[sm.n])


class home_sm(Gpu):

    def key(self, sm, k):
        return (sm.n - k.placed) % DEV['sms']


class shared_back_when_idle(Gpu):

    def free_shared(self, sm, hold):
        pass

    def sm_idle(self, sm):
        sm.p = 0
        sm.used.clear()


class tail_reversed(Gpu):

    def key(self, sm, k):
        left = k.blocks - k.placed
        return (-self.room(sm, k), -sm.n if left < 12 else 0, self.order[sm.n])


class smallest_grid_first(Gpu):

    def queue_key(self, k):
        return (k.priority, k.blocks, k.joined)


class pointer_of_tpc(Gpu):

    def move(self, sm, k):
        p = (sm.p + k.w + self.skip(sm, k)) % 4
        for s in self.domain(sm):
            s.p = p

    def sm_idle(self, sm):
        if self.domain_idle(sm):
            for s in self.domain(sm):
                s.p = 0


class odd_sms_begin_at_two(Gpu):
    """Nobody can see it: an idle SM is the same under rotation of its subpartitions."""

    def setup(self):
        for s in self.sms:
            self.sm_idle(s)

    def sm_idle(self, sm):
        sm.p = 2 * (sm.n % 2)


class exclusive_local(Gpu):

    def local_waits(self, k):
        if Gpu.local_waits(self, k):
            return True
        return k.local > 0 and any((e.local > 0 and e is not k and e.resident for e in self.kernels))


class room_to_two(Gpu):

    def key(self, sm, k):
        return (-min(self.room(sm, k), 2), self.order[sm.n])


class first_fit_after_a_wave(Gpu):

    def key(self, sm, k):
        return (-self.room(sm, k) if k.placed < DEV['sms'] else 0, self.order[sm.n])


class at_most_200_blocks(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and sum((len(s.blocks) for s in self.sms)) < 200


class slot_kept_for_priority(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > (0 if k.priority < 0 else 1)


class many_registers_on_even_sms(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.registers < 128 or sm.n % 2 == 0)


class idle_tpc_first(Gpu):

    def key(self, sm, k):
        return (-self.room(sm, k), sum((len(s.blocks) for s in self.domain(sm))), self.order[sm.n])


class most_free_shared(Gpu):

    def key(self, sm, k):
        return (sum((b - a for a, b in sm.used)), self.order[sm.n])


class registers_of_a_block(Gpu):
    """Rounded for the block, from one file of the SM."""

    def total(self, k):
        return up(k.registers * 32 * k.w, 1024)

    def warps_fit(self, sm, k):
        need = [0] * 4
        for i in range(k.w):
            need[self.sub(sm, k, i)] += 1
        return all((n <= c for n, c in zip(need, sm.warps))) and self.file(sm) >= self.total(k)

    def file(self, sm):
        return DEV['registers_per_sm'] - sum((self.total(b[0]) for b in sm.blocks))

    def room(self, sm, k):
        c = sm.warps
        m = min(c)
        j = next((j for j in range(4) if c[(sm.p + j) % 4] == m))
        longest = max((b - a for a, b in self.gaps(sm, self.config(sm, k))), default=0)
        return min(sm.slots, (4 * m + j) // k.w, self.file(sm) // self.total(k), longest // k.s if k.s else 10 ** 9)


class single_blocks_pass(Gpu):
    """A kernel of one block passes a head that waits."""

    def candidates(self):
        q = self.queue()
        return q[:1] + [k for k in q[1:] if k.blocks == 1]


class config_grows(Gpu):
    """The carve-out of a TPC never shrinks within a session."""

    def config(self, sm, k):
        return max(self.preferred(k), sm.config or 0) if self.domain_idle(sm) else sm.config

    def place(self, sm, k):
        grown = self.config(sm, k)
        idle = self.domain_idle(sm)
        if idle:
            keep = self.preferred
            self.preferred = lambda k: grown
            Gpu.place(self, sm, k)
            self.preferred = keep
        else:
            Gpu.place(self, sm, k)


class room_by_slots(Gpu):
    """Which is selection=fewest_blocks."""

    def key(self, sm, k):
        return (-sm.slots, self.order[sm.n])


class wide_blocks_far(Gpu):
    """Blocks of 16 warps and more from the last SM down."""

    def key(self, sm, k):
        return (-self.room(sm, k), (-sm.n, 0) if k.w >= 16 else self.order[sm.n])


class warps_backwards(Gpu):

    def sub(self, sm, k, i):
        return (sm.p - i) % 4


class two_kernels_per_sm(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and len({id(b[0]) for b in sm.blocks} | {id(k)}) <= 2


class big_shared_alone(Gpu):
    """A block of 48 KiB and more only joins an SM that is idle."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.shared < 49152 or not sm.blocks)


class pointer_by_block_index(Gpu):

    def move(self, sm, k):
        sm.p = (k.placed + 1) % 4


class own_apart(Gpu):
    """To the SM with the fewest blocks of its own kernel."""

    def key(self, sm, k):
        return (sum(1 for b in sm.blocks if b[0] is k), -self.room(sm, k), self.order[sm.n])


class six_on_a_tpc(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and sum(len(s.blocks) for s in self.domain(sm)) < 6


class most_registers_first(Gpu):

    def queue_key(self, k):
        return (k.priority, -k.registers, k.joined)


class behind_the_last(Gpu):
    """Of the SMs with most room the first behind the latest choice."""

    def setup(self):
        self.at = -1

    def key(self, sm, k):
        place = self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1]
        return (-self.room(sm, k), (place - self.at - 1) % DEV['sms'])

    def place(self, sm, k):
        self.at = self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1]
        Gpu.place(self, sm, k)

    def free(self, k, b):
        Gpu.free(self, k, b)
        if self.idle():
            self.at = -1


class four_at_once(Gpu):
    """A pick places up to four blocks."""

    def batch(self, k):
        return 4


class begins_further(Gpu):
    """Each kernel has the order begin an SM further."""

    def key(self, sm, k):
        place = self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1]
        return (-self.room(sm, k), (place - k.joined) % DEV['sms'])


class warps_kept_for_priority(Gpu):
    """Eight warps of an SM are kept for priorities below 0."""

    def slot_free(self, sm, k):
        used = DEV['max_warps_per_sm'] - sum(sm.warps)
        return sm.slots > 0 and (k.priority < 0 or used + k.w <= 40)


class one_kernel_per_sm(Gpu):

    def slot_free(self, sm, k):
        return sm.slots > 0 and all(b[0] is k for b in sm.blocks)


class fewest_registers_held(Gpu):
    """Of the SMs with fewest blocks."""

    def key(self, sm, k):
        return (len(sm.blocks), -sum(sm.regs), self.order[sm.n])


class least_recent_wide(Gpu):
    """Blocks of 8 warps and more go to the SM that was not chosen for longest."""

    def key(self, sm, k):
        return (sm.last if k.w >= 8 else -self.room(sm, k), self.order[sm.n])


class small_grids_pack(Gpu):
    """Grids of up to 8 blocks go where most warps are."""

    def key(self, sm, k):
        used = DEV['max_warps_per_sm'] - sum(sm.warps)
        return (-used if k.blocks <= 8 else -self.room(sm, k), self.order[sm.n])


class worst_fit(Gpu):
    """A block gets the beginning of the largest free interval of shared memory."""

    def interval(self, sm, k):
        return -max((b - a, -a) for a, b in self.gaps(sm, sm.config))[1]


class highest_fit(Gpu):
    """A block gets the beginning of the last free interval that suffices."""

    def interval(self, sm, k):
        return max(a for a, b in self.gaps(sm, sm.config) if b - a >= k.s)


class urgent_pack(Gpu):
    """Kernels of priorities below 0 go where most warps are."""

    def key(self, sm, k):
        used = DEV['max_warps_per_sm'] - sum(sm.warps)
        return (-used if k.priority < 0 else -self.room(sm, k), self.order[sm.n])


class fair_share(Gpu):
    """Of one priority the kernel with the fewest resident blocks."""

    def queue_key(self, k):
        return (k.priority, len(k.resident), k.joined)


class quota(Gpu):
    """A kernel has 40 blocks on the device at most."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and len(k.resident) < 40


class fill_to_half(Gpu):
    """SMs in their order, until each has 24 warps; then again."""

    def key(self, sm, k):
        return (DEV['max_warps_per_sm'] - sum(sm.warps) >= 24, self.order[sm.n])


class narrow_in_fours(Gpu):
    """Blocks of one or two warps are placed by fours."""

    def batch(self, k):
        return 4 if k.w <= 2 else 1


class begins_by_width(Gpu):
    """The order begins as many SMs further as the block has warps."""

    def key(self, sm, k):
        place = self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1]
        return (-self.room(sm, k), (place - k.w) % DEV['sms'])


class tpc_alone(Gpu):
    """A block of 32 KiB and more wants an idle TPC."""

    def slot_free(self, sm, k):
        return sm.slots > 0 and (k.shared < 32768 or self.domain_idle(sm))


class narrower_passes(Gpu):
    """Kernels of narrower blocks pass a head that waits."""

    def candidates(self):
        q = self.queue()
        return q[:1] + [k for k in q[1:] if k.w < q[0].w]


class pointer_by_registers(Gpu):
    """The warp pointer goes on by two behind blocks of more than 64 registers."""

    def skip(self, sm, k):
        return 2 if k.registers > 64 else 1 if k.w % 4 == 0 else 0


class halves(Gpu):
    """Blocks of even number to the lower half of the SMs, others to the upper one."""

    def key(self, sm, k):
        return ((sm.n * 2 // DEV['sms'] + k.placed) % 2, -self.room(sm, k), self.order[sm.n])


class serpentine(Gpu):
    """Every other wave of a kernel goes through the SMs backwards."""

    def key(self, sm, k):
        place = self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1]
        return (-self.room(sm, k), place if k.placed // DEV['sms'] % 2 == 0 else -place)


class odd_kernels_pack(Gpu):
    """Every other kernel that joins goes where most warps are."""

    def key(self, sm, k):
        used = DEV['max_warps_per_sm'] - sum(sm.warps)
        return (-used if k.joined % 2 == 0 else -self.room(sm, k), self.order[sm.n])


class further_and_skip(begins_further, pointer_by_registers):
    """Two rules at once."""


class quota_and_widest(quota):
    """Two rules at once: the widest blocks of a priority come first."""

    def queue_key(self, k):
        return (k.priority, -k.w, k.joined)


class freed_first(Gpu):
    """Of most room the SM that a block left latest; blocks that leave together count as one."""

    def setup(self):
        self.moment, self.freed = (0, [-1] * DEV['sms'])

    def free(self, k, b):
        self.freed[k.resident[b][0].n] = self.moment
        Gpu.free(self, k, b)

    def released(self):
        self.moment += 1

    ended = released

    def key(self, sm, k):
        return (-self.room(sm, k), -self.freed[sm.n], self.order[sm.n])


class longest_free_first(freed_first):
    """The SM that no block left for longest."""

    def key(self, sm, k):
        return (self.freed[sm.n], self.order[sm.n])


class cursor_back_after_a_wave(Gpu):
    """The next SM in turn; the turn begins anew with every 16th block of a kernel."""

    def setup(self):
        self.at = 0

    def key(self, sm, k):
        place = self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1]
        return (place - self.at) % DEV['sms']

    def choose(self, fit, k):
        if k.placed % 16 == 0:
            self.at = 0
        sm = Gpu.choose(self, fit, k)
        self.at = (self.order[sm.n][0] * DEV['sms'] // 2 + self.order[sm.n][1] + 1) % DEV['sms']
        return sm


class groups_of_six(Gpu):
    """First a group of six SMs, that with fewest warps; in it the SM with most room."""

    def choose(self, fit, k):
        groups = {}
        for sm in self.sms:
            groups.setdefault(sm.n // 6, []).append(sm)

        def weight(group):
            return (sum(DEV['max_warps_per_sm'] - sum(sm.warps) for sm in groups[group]),
                    min(self.order[sm.n] for sm in groups[group]))

        group = min({sm.n // 6 for sm in fit}, key=weight)
        return min((sm for sm in fit if sm.n // 6 == group), key=lambda sm: self.key(sm, k))


class thirds_by_room(groups_of_six):
    """The SMs whose index leaves the same by three are a group; that with most room comes first."""

    def choose(self, fit, k):
        def room(group):
            return (-sum(self.room(sm, k) for sm in fit if sm.n % 3 == group),
                    min(self.order[sm.n] for sm in self.sms if sm.n % 3 == group))

        group = min({sm.n % 3 for sm in fit}, key=room)
        return min((sm for sm in fit if sm.n % 3 == group), key=lambda sm: self.key(sm, k))


class threads_count(Gpu):
    """An SM takes 1,280 threads."""

    def warps_fit(self, sm, k):
        return Gpu.warps_fit(self, sm, k) and sum(b[0].threads for b in sm.blocks) + k.threads <= 1280


def can_run(kernel):
    """By the documented limits of a block."""
    return (kernel['threads'] <= DEV['max_threads_per_block'] and kernel.get('shared', 0) <= DEV['max_shared_per_block']
            and kernel['registers'] <= DEV['max_registers_per_thread'])


def serve(kind):
    gpu = None
    for line in sys.stdin:
        asked = json.loads(line)
        if asked['type'] == 'bye':
            break
        if asked['type'] == 'hello':
            gpu = kind()
            answer = {'type': 'device', 'protocol': 1, 'channels': ['sm'], 'device': DEV,
                      'oracle': {'name': kind.__name__, 'version': '1'}}
        elif not all(can_run(kernel) for kernel in asked['probe']['kernels'].values()):
            answer = {'type': 'error', 'id': asked['id'], 'code': 'invalid_probe', 'message': 'over a limit'}
        else:
            probe = asked['probe']
            runs = [{'steps': gpu.run(probe['kernels'], probe['script'])} for _ in range(asked['repeat'])]
            answer = {'type': 'observation', 'id': asked['id'], 'runs': runs}
        print(json.dumps(answer), flush=True)


def main(module):
    """Lists the boxes of the module, or is the one that the command line names."""
    kinds = {name: kind for name, kind in vars(sys.modules[module]).items()
             if isinstance(kind, type) and issubclass(kind, Gpu) and kind.__module__ == module}
    if len(sys.argv) < 2:
        print('\n'.join(kinds))
    elif sys.argv[1] in kinds:
        serve(kinds[sys.argv[1]])
    else:
        sys.exit(f'{sys.argv[1]}: no such box; without a name they are listed')


if __name__ == '__main__':
    main(__name__)
