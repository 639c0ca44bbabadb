#include "uses/fits/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "probes/mapped.h"

namespace cuvier {
namespace {

constexpr int register_unit = 256;  // a warp's registers are allocated in these
constexpr int shared_unit = 128;    // bytes
constexpr int runtime_shared = 1024;

int round_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

int registers_per_warp(const Kernel& kernel) {
  return round_up(kernel.registers * 32, register_unit);
}

template <class Demand>
Resource resource(const char* name, int capacity, const std::vector<Kernel>& kinds,
                  Demand&& demand) {
  Resource resource{name, capacity, {}};
  for (const Kernel& kernel : kinds) resource.per_block.push_back(demand(kernel));
  return resource;
}

int one(const Kernel&) { return 1; }

constexpr int most_looked_at = 1'000'000;
constexpr std::size_t most_kept = 2'000;

int used(const Resource& resource, const Contents& contents) {
  int used = 0;
  for (std::size_t i = 0; i < contents.size(); ++i) used += contents[i] * resource.per_block[i];
  return used;
}

/// Goes through all contents within the limits until it has seen too many.
class AllContents {
 public:
  AllContents(const std::vector<Resource>& limits) : limits_(limits) {}

  /// False where `visit` returned false, or there were too many. `visit(contents)` is called for
  /// each; of contents that it does not go beyond (`goes_on` false) no greater one is looked at.
  template <class Visit>
  bool each(const Visit& visit) {
    Contents contents(limits_[0].per_block.size());
    return go(contents, 0, visit);
  }

 private:
  /// More of the kind `from` and those behind it.
  template <class Visit>
  bool go(Contents& contents, std::size_t from, const Visit& visit) {
    if (++looked_at_ > most_looked_at) return false;
    const std::optional<bool> goes_on = visit(contents);
    if (!goes_on) return false;
    if (!*goes_on) return true;
    for (std::size_t i = from; i < contents.size(); ++i) {
      ++contents[i];
      const bool done = !is_within(limits_, contents) || go(contents, i, visit);
      --contents[i];
      if (!done) return false;
    }
    return true;
  }

  const std::vector<Resource>& limits_;
  int looked_at_ = 0;
};

/// The least contents, within the limits, beside which one more block of the kind does not surely
/// fit: any other such contents has one of these in it. None where there are more than can be
/// looked at.
std::optional<std::vector<Contents>> least_without_room(const std::vector<Resource>& limits,
                                                        const std::vector<Resource>& needs,
                                                        int kind) {
  std::vector<Contents> least;
  const bool done = AllContents(limits).each([&](const Contents& contents) -> std::optional<bool> {
    if (has_room(needs, contents, kind)) return true;
    Contents less = contents;
    for (int& count : less) {
      if (count == 0) continue;
      --count;
      const bool also = !has_room(needs, less, kind);
      ++count;
      if (also) return false;
    }
    least.push_back(contents);
    if (least.size() > most_kept) return std::nullopt;
    return false;
  });
  return done ? std::optional(std::move(least)) : std::nullopt;
}

/// The text of a query that is a disjunction: each part would be a way out of the claim.
class Query {
 public:
  explicit Query(const std::string& about) {
    declarations_ = "; " + about +
                    "\n; The claim holds if the answer is unsat: each of the parts below would be "
                    "a way out of it.\n(set-logic QF_LIA)\n";
  }

  /// A natural number that nobody knows.
  std::string natural(const std::string& name) {
    declarations_ += fmt::format("(declare-const {0} Int)\n(assert (>= {0} 0))\n", name);
    return name;
  }
  void note(const std::string& text) { declarations_ += "; " + text + '\n'; }
  void part(const std::string& text, const std::vector<std::string>& conditions) {
    parts_ += fmt::format("  ; {}\n  (and", text);
    for (const std::string& condition : conditions) parts_ += "\n    " + condition;
    parts_ += ")\n";
  }
  std::string text() const {
    return declarations_ + "(assert (or false\n" + parts_ + "))\n(check-sat)\n";
  }

 private:
  std::string declarations_;
  std::string parts_;
};

/// (+ 0 (* 3 a) (* 1 b)), or 0
std::string weighted(const std::vector<int>& weights, const std::vector<std::string>& names) {
  std::string terms;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (weights[i] != 0) terms += fmt::format(" (* {} {})", weights[i], names[i]);
  }
  return terms.empty() ? "0" : "(+ 0" + terms + ")";
}

std::vector<std::string> within(const std::vector<Resource>& resources,
                                const std::vector<std::string>& names) {
  return mapped(resources, [&](const Resource& r) {
    return fmt::format("(<= {} {})", weighted(r.per_block, names), r.capacity);
  });
}

/// There is a block, and one more of the kind exceeds some resource.
std::string without_room(const std::vector<Resource>& needs, int kind,
                         const std::vector<std::string>& names) {
  std::string any = "(or false";
  for (const Resource& r : needs) {
    any += fmt::format(" (> {} {})", weighted(r.per_block, names), r.capacity - r.per_block[kind]);
  }
  return fmt::format("(and (> {} 0) {}))", weighted(std::vector(names.size(), 1), names), any);
}

/// relation(names[i], contents[i]) for some i.
std::string some_is(const char* relation, const Contents& contents,
                    const std::vector<std::string>& names) {
  std::string any = "(or false";
  for (std::size_t i = 0; i < names.size(); ++i) {
    any += fmt::format(" ({} {} {})", relation, names[i], contents[i]);
  }
  return any + ")";
}

std::vector<std::string> naturals(Query& query, const std::string& prefix, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(query.natural(fmt::format("{}_{}", prefix, i)));
  }
  return names;
}

/// How many SMs hold each of the contents: all of them hold one.
std::vector<std::string> spread(const std::vector<std::string>& counts, int sms) {
  return {fmt::format("(= {} {})", weighted(std::vector(counts.size(), 1), counts), sms)};
}

/// The blocks of a kind in all contents together.
std::string blocks_of(int kind, const std::vector<Contents>& contents,
                      const std::vector<std::string>& counts) {
  return weighted(mapped(contents, [&](const Contents& each) { return each[kind]; }), counts);
}

void describe_kinds(Query& query, const Device& device, const std::vector<Kernel>& kinds) {
  query.note(fmt::format("{}: {} SMs", device.name, device.sms));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    query.note(fmt::format(
        "kind {}: {} blocks like {}'s, of {} threads, {} registers each, {} bytes of shared memory",
        i, kinds[i].blocks, kinds[i].name, kinds[i].threads, kinds[i].registers, kinds[i].shared));
  }
}

}  // namespace

std::vector<Kernel> demands_of(const std::vector<Kernel>& kernels) {
  std::vector<Kernel> kinds;
  for (const Kernel& kernel : kernels) {
    const auto alike = std::ranges::find_if(kinds, [&](const Kernel& kind) {
      return kind.threads == kernel.threads && kind.registers == kernel.registers &&
             kind.shared == kernel.shared;
    });
    if (alike == kinds.end()) {
      kinds.push_back(kernel);
    } else {
      constexpr std::int64_t most = std::numeric_limits<int>::max();
      const std::int64_t sum = std::int64_t{alike->blocks} + kernel.blocks;
      alike->blocks = static_cast<int>(std::min(sum, most));
    }
  }
  return kinds;
}

std::vector<Resource> limits(const Device& device, const std::vector<Kernel>& kinds) {
  return {
      resource("block_slots", device.max_blocks_per_sm, kinds, one),
      resource("warp_slots", device.max_warps_per_sm, kinds,
               [](const Kernel& k) { return k.warps(); }),
      resource("registers", device.registers_per_sm, kinds,
               [](const Kernel& k) { return k.warps() * registers_per_warp(k); }),
      resource("shared_bytes", device.largest_config(), kinds,
               [](const Kernel& k) { return round_up(k.shared, shared_unit); }),
  };
}

std::vector<Resource> needs(const Device& device, const std::vector<Kernel>& kinds, int carve_out) {
  const auto share = [&](const Kernel& k) {
    return (k.warps() + device.subpartitions - 1) / device.subpartitions;
  };
  int most_registers = 1;
  for (const Kernel& kernel : kinds) {
    most_registers = std::max(most_registers, registers_per_warp(kernel));
  }
  const int any_warps =
      device.subpartitions * std::min(device.warps_per_subpartition(),
                                      device.registers_per_subpartition() / most_registers);
  return {
      resource("block_slots", device.max_blocks_per_sm, kinds, one),
      resource("warps_of_subpartition", device.warps_per_subpartition(), kinds, share),
      resource("registers_of_subpartition", device.registers_per_subpartition(), kinds,
               [&](const Kernel& k) { return share(k) * registers_per_warp(k); }),
      resource("warps_of_any_registers", any_warps, kinds,
               [](const Kernel& k) { return k.warps(); }),
      resource("shared_bytes", carve_out, kinds,
               [](const Kernel& k) { return round_up(k.shared, shared_unit) + runtime_shared; }),
  };
}

bool is_within(const std::vector<Resource>& resources, const Contents& contents) {
  return std::ranges::all_of(resources,
                             [&](const Resource& r) { return used(r, contents) <= r.capacity; });
}

bool has_room(const std::vector<Resource>& needs, const Contents& contents, int kind) {
  if (std::ranges::count(contents, 0) == std::ssize(contents)) return true;
  Contents more = contents;
  ++more[kind];
  return is_within(needs, more);
}

std::optional<std::vector<Contents>> greatest(const std::vector<Resource>& limits) {
  std::vector<Contents> greatest;
  const bool done = AllContents(limits).each([&](const Contents& contents) -> std::optional<bool> {
    Contents more = contents;
    for (int& count : more) {
      ++count;
      const bool fits = is_within(limits, more);
      --count;
      if (fits) return true;
    }
    greatest.push_back(contents);
    if (greatest.size() > most_kept) return std::nullopt;
    return true;
  });
  return done ? std::optional(std::move(greatest)) : std::nullopt;
}

std::optional<Lemma> nothing_is_stranded(const Device& device, const std::vector<Kernel>& kinds,
                                         int asked, int carve_out) {
  const std::vector<Resource> most = limits(device, kinds);
  const std::vector<Resource> enough = needs(device, kinds, carve_out);
  Query query("No scheduler that places a block wherever there surely is room strands one.");
  describe_kinds(query, device, kinds);
  const int count = static_cast<int>(kinds.size());
  for (int kind = 0; kind < asked; ++kind) {
    const auto full = least_without_room(most, enough, kind);
    if (!full) return std::nullopt;
    query.note(fmt::format("of_K_i: blocks of kind i on an SM without room for kind K = {}", kind));
    const auto held = naturals(query, fmt::format("of_{}", kind), kinds.size());
    std::vector<std::string> unlisted = within(most, held);
    unlisted.push_back(without_room(enough, kind, held));
    for (const Contents& each : *full) unlisted.push_back(some_is("<", each, held));
    query.part(fmt::format("an SM without room for kind {} holds none of the {} contents listed",
                           kind, full->size()),
               unlisted);
    query.note(fmt::format("sms_K_j: how many SMs hold the j-th of them, and perhaps more"));
    const auto sms = naturals(query, fmt::format("sms_{}", kind), full->size());
    std::vector<std::string> all_full = spread(sms, device.sms);
    for (int other = 0; other < count; ++other) {
      all_full.push_back(fmt::format("(<= {} {})", blocks_of(other, *full, sms),
                                     kinds[other].blocks - (other == kind)));
    }
    query.part(fmt::format("all SMs are without room for one more block of kind {}", kind),
               all_full);
  }
  return Lemma{.name = "nothing_is_stranded",
               .statement = fmt::format("every scheduler that places a block where there surely is "
                                        "room places all of them on {} SMs",
                                        device.sms),
               .smt2 = query.text()};
}

std::optional<Lemma> all_do_not_fit(const Device& device, const std::vector<Kernel>& kinds) {
  const std::vector<Resource> most = limits(device, kinds);
  const auto full = greatest(most);
  if (!full) return std::nullopt;
  Query query("The device does not hold all of these blocks at once, wherever they are put.");
  describe_kinds(query, device, kinds);
  query.note("held_i: blocks of kind i on an SM");
  const auto held = naturals(query, "held", kinds.size());
  std::vector<std::string> unlisted = within(most, held);
  for (const Contents& each : *full) unlisted.push_back(some_is(">", each, held));
  query.part(
      fmt::format("what an SM holds is part of none of the {} contents listed", full->size()),
      unlisted);
  query.note("sms_j: how many SMs hold the j-th of them, or part of it");
  const auto sms = naturals(query, "sms", full->size());
  std::vector<std::string> all_held = spread(sms, device.sms);
  for (int kind = 0; kind < static_cast<int>(kinds.size()); ++kind) {
    all_held.push_back(fmt::format("(>= {} {})", blocks_of(kind, *full, sms), kinds[kind].blocks));
  }
  query.part("all blocks are there", all_held);
  return Lemma{.name = "all_do_not_fit",
               .statement = "the device cannot hold them all at once, wherever they are put",
               .smt2 = query.text()};
}

AnsweredClaim prove(Lemma claim, const SmtLimits& limits) {
  SmtAnswer answer = ask_z3(claim.smt2, limits);
  limits.task.still();  // where it is to end, that is why there is no answer
  return {std::move(claim), std::move(answer)};
}

}  // namespace cuvier
