#include "uses/fits/proof.h"

#include <fmt/format.h>

#include <utility>

namespace cuvier {
namespace {

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
  std::vector<std::string> conditions;
  for (const Resource& r : resources) {
    conditions.push_back(fmt::format("(<= {} {})", weighted(r.per_block, names), r.capacity));
  }
  return conditions;
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
  std::vector<int> per_sm;
  for (const Contents& each : contents) per_sm.push_back(each[kind]);
  return weighted(per_sm, counts);
}

void describe_kinds(Query& query, const Device& device, const std::vector<Kernel>& kinds) {
  query.note(fmt::format("{}: {} SMs", device.name, device.sms));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    query.note(fmt::format(
        "kind {}: {} blocks like {}'s, of {} threads, {} registers each, {} "
        "bytes of shared memory",
        i, kinds[i].blocks, kinds[i].name, kinds[i].threads, kinds[i].registers, kinds[i].shared));
  }
}

}  // namespace

std::optional<Claim> nothing_is_stranded(const Device& device, const std::vector<Kernel>& kinds,
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
  return Claim{query.text(), fmt::format("every scheduler that places a block where there surely "
                                         "is room places all of them on {} SMs",
                                         device.sms)};
}

std::optional<Claim> all_do_not_fit(const Device& device, const std::vector<Kernel>& kinds) {
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
  return Claim{query.text(), "the device cannot hold them all at once, wherever they are put"};
}

AnsweredClaim prove(Claim claim, const SmtLimits& limits) {
  SmtAnswer answer = ask_z3(claim.smt2, limits);
  limits.task.still();  // where it is to end, that is why there is no answer
  return {std::move(claim), std::move(answer)};
}

}  // namespace cuvier
