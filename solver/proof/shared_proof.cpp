#include <fmt/format.h>

#include <utility>

#include "solver/proof/sm_proofs.h"

namespace cuvier {
namespace {

using Shared = SharedMemory<Terms>;

/// Who is idle when a block comes, and whether they became so in this action.
struct Moment {
  IdleDomains idle;
  std::string_view words;
  bool emptied = false;
};
constexpr Moment kMoments[] = {
    {{false, false, false}, "a busy SM"},
    {{true, false, false}, "an idle SM of a busy TPC"},
    {{true, true, false}, "an idle TPC of a busy device"},
    {{true, true, true}, "an idle device"},
    {{true, false, false}, "an SM of a busy TPC that became idle just now", true},
    {{true, true, false}, "a TPC of a busy device that became idle just now", true},
    {{true, true, true}, "a device that became idle just now", true}};

/// What one hypothesis makes of a block that comes to an SM.
struct Arrival {
  TermBool fits = false;
  TermInt room = 0;
  TermInt held = 0;
  TermInt target = 0;
  TermInt config = 0;
  Shared after;
};

/// Whether the device's only TPC is the device: then both are idle together, and were configured
/// by the same kernel.
bool is_one_tpc(const Device& device) { return tpcs_of(device).size() == 1; }

/// Whether there is such a moment on the device.
bool has(const Device& device, const Moment& moment) {
  return !is_one_tpc(device) || moment.idle.tpc == moment.idle.device;
}

/// Whether it makes a difference that a domain became idle in this action.
bool sees_emptied(const Hypothesis& h) {
  const auto change = h.get<ConfigChange>();
  return change == ConfigChange::when_idle_before || formula_reads<ConfigChange>(change, "emptied");
}

/// The kernel that comes, and those that configured the domains which are not idle.
struct Kernels {
  explicit Kernels(const Device& device) {
    if (is_one_tpc(device)) of_device = of_tpc;
  }

  Kernel own = kernel_named("kernel");
  Kernel of_sm = kernel_named("first-on-sm");
  Kernel of_tpc = kernel_named("first-on-tpc");
  Kernel of_device = kernel_named("first-on-device");
  /// Instead: what the domains have or had last, in the order of ConfigScope.
  std::vector<TermInt> configs = {};
};

Arrival arrive(const Terms& d, const Device& device, const Kernels& kernels, const Moment& moment,
               Shared shared, const Asked& asked) {
  const IdleDomains& idle = moment.idle;
  const auto target = [&](const Kernel& k) {
    return evaluate(TargetConfig{{device, k}}, d, evaluate(PreferredConfig{{device, k}}, d));
  };
  const OnKernel on{device, kernels.own};
  Arrival arrival;
  const TermInt preferred = evaluate(PreferredConfig{on}, d);
  arrival.target = target(kernels.own);
  const auto config_of = [&](ConfigScope::Value domain, const Kernel& configured_by) {
    const bool emptied = moment.emptied && idle.of(domain);
    return evaluate(ConfigWithBlock{on, domain, idle, emptied}, d, preferred, arrival.target,
                    kernels.configs.empty() ? target(configured_by) : kernels.configs[domain]);
  };
  const TermInt bytes = evaluate(SharedBytes{on}, d);
  arrival.config = evaluate(ConfigOfSm{&device}, d, config_of(ConfigScope::sm, kernels.of_sm),
                            config_of(ConfigScope::tpc, kernels.of_tpc),
                            config_of(ConfigScope::device, kernels.of_device));
  arrival.fits = evaluate(FitsShared{on, idle}, d, shared, arrival.config, preferred, bytes);
  if (asked.room) arrival.room = evaluate(RoomInShared{on, idle}, d, shared, arrival.config, bytes);
  if (asked.usage) arrival.held = shared.space.total() + bytes;
  arrival.after = evaluate(PlaceShared{on}, d, std::move(shared), arrival.config, bytes);
  return arrival;
}

/// One for each moment that there is on the device, and makes a difference: `words` say it of the
/// SM to which a block comes, and `show` adds what is to be shown, whatever that SM holds.
std::vector<Statement> at_each_moment(const Device& device, const std::string& name,
                                      const Kernels& kernels, bool emptied_too, const auto& words,
                                      const auto& show) {
  std::vector<Statement> statements;
  for (const Moment& moment : kMoments) {
    if (!has(device, moment) || (moment.emptied && !emptied_too)) continue;
    Statement& s = statements.emplace_back(fmt::format("{}-{}", name, &moment - kMoments),
                                           words(moment.words));
    for (const Kernel* k : {&kernels.own, &kernels.of_sm, &kernels.of_tpc, &kernels.of_device}) {
      s.assume(legal(demand<Terms>(*k), device));
    }
    for (const TermInt& config : kernels.configs) {
      s.assume(config >= 0 && config <= device.largest_config());
    }
    Shared contents;
    if (!moment.idle.sm) contents.space = AddressSpace<Terms>::any("contents");
    show(s, moment, contents);
  }
  return statements;
}

/// A block of the kernel comes: what was idle is not any more, and is configured as it prefers.
Kernels configured_by(const Kernel& kernel, Kernels kernels, const IdleDomains& idle) {
  if (idle.device) kernels.of_device.name = kernel.name;
  if (idle.tpc) kernels.of_tpc.name = kernel.name;
  if (idle.sm) kernels.of_sm.name = kernel.name;
  return kernels;
}

}  // namespace

std::vector<Statement> shared_induction(const Device& device, const Hypothesis& a,
                                        const Hypothesis& b, const Asked& asked) {
  Kernels kernels(device);
  const bool of_any_config = has_rule_of_configs(a) || has_rule_of_configs(b);
  if (of_any_config) {
    for (const auto* domain : {"tpc", "sm", "device"}) {
      kernels.configs.push_back(unknown_int(fmt::format("config-of-{}", domain)));
    }
  }
  const auto words = [&](std::string_view sm) {
    return fmt::format(
        "Shared memory of one SM with the same contents under {} and under {}, "
        "its carve-out domains {}. A block that "
        "comes to {} finds the same answers and goes to the same address{}.",
        describe(a), describe(b),
        of_any_config ? "of the same configurations" : "configured by the same kernels", sm,
        of_any_config ? ", and leaves the same configuration" : "");
  };
  const auto show = [&](Statement& s, const Moment& moment, const Shared& before) {
    // A state of more than this is one of which nothing is shown: that must not compile.
    [[maybe_unused]] const auto& [contents, blocks] = before;
    const Arrival under_a = arrive(Terms{a}, device, kernels, moment, before, asked);
    const Arrival under_b = arrive(Terms{b}, device, kernels, moment, before, asked);
    for (const TermInt& config : {under_a.config, under_b.config}) {
      s.assume(before.space.sound(0, config));
    }
    s.claim(under_a.fits == under_b.fits);
    s.claim(AddressSpace<Terms>::same(under_a.after.space, 0, under_b.after.space, 0),
            under_a.fits);
    s.claim(under_a.room == under_b.room);
    s.claim(under_a.held == under_b.held);
    if (asked.configurations) s.claim(under_a.target == under_b.target);
    if (of_any_config) s.claim(under_a.config == under_b.config, under_a.fits);
  };
  const bool emptied_too = sees_emptied(a) || sees_emptied(b);
  return at_each_moment(device, "shared", kernels, emptied_too, words, show);
}

std::vector<Statement> shared_stays(const Device& device, const Hypothesis& h, const Asked& asked) {
  const Terms d{h};
  const Kernels kernels(device);
  const auto words = [&](std::string_view sm) {
    return fmt::format(
        "Under {}, a block of a kernel that goes to another SM changes nothing of what {} answers "
        "about that kernel; and on the SM that it goes to, no less is held.",
        describe(h), sm);
  };
  const auto show = [&](Statement& s, const Moment& moment, const Shared& shared) {
    const IdleDomains& idle = moment.idle;
    const Arrival before = arrive(d, device, kernels, moment, shared, asked);
    const Kernels later = configured_by(kernels.own, kernels, idle);
    for (const bool same_tpc : {false, true}) {
      const Moment then{{idle.sm, idle.tpc && !same_tpc, false}, ""};
      const Arrival after = arrive(d, device, later, then, shared, asked);
      s.claim(before.fits == after.fits);
      s.claim(before.room == after.room);
      s.claim(before.held == after.held);
    }
    if (asked.usage) s.claim(before.after.space.total() >= shared.space.total(), before.fits);
  };
  return at_each_moment(device, "shared-stays", kernels, false, words, show);
}

std::vector<Statement> shared_shrinks(const Device& device, const Hypothesis& h) {
  const Terms d{h};
  const Kernels kernels(device);
  const Kernel placed = kernel_named("placed");
  const auto words = [&](std::string_view sm) {
    return fmt::format(
        "Under {}, what does not fit by its shared memory on {} does not "
        "after a block of another kernel was placed there or elsewhere.",
        describe(h), sm);
  };
  const auto show = [&](Statement& s, const Moment& moment, const Shared& contents) {
    const IdleDomains& idle = moment.idle;
    s.assume(legal(demand<Terms>(placed), device));
    const Arrival before = arrive(d, device, kernels, moment, contents, {});
    const Kernels later = configured_by(placed, kernels, idle);
    // On this SM, on another of its TPC, on another TPC's.
    Shared more;
    more.space = AddressSpace<Terms>::any("more");
    const std::pair<Shared, Moment> after[] = {{more, {{false, false, false}, ""}},
                                               {contents, {{idle.sm, false, false}, ""}},
                                               {contents, {{idle.sm, idle.tpc, false}, ""}}};
    for (const auto& [shared, then] : after) {
      const Arrival arrival = arrive(d, device, later, then, shared, {});
      for (const TermInt& config : {before.config, arrival.config}) {
        s.assume(shared.space.sound(0, config));
        s.assume(more.space.longest_gap(0, config) <= contents.space.longest_gap(0, config));
      }
      s.assume(more.space.total() >= contents.space.total());
      s.claim(before.fits, arrival.fits);
    }
  };
  return at_each_moment(device, "shared-shrinks", kernels, false, words, show);
}

}  // namespace cuvier
