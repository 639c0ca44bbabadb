#include "solver/finding/pattern.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

#include "hypotheses/scheduler/choice_keys.h"
#include "probes/family.h"
#include "solver/finding/quantities.h"

namespace cuvier {
namespace {

const Kernel& kernel_of(const FactOfRecording& at) {
  return at.recording->probe.kernels[at.fact->kernel];
}

int launched_before(const FactOfRecording& at) {
  const auto& script = at.recording->probe.script;
  const auto end = script.begin() + std::max(at.fact->step, 0);
  return static_cast<int>(
      std::count_if(script.begin(), end, [](const Action& a) { return a.launch.has_value(); }));
}

int like_it_ahead(const FactOfRecording& at) {
  const Probe& probe = at.recording->probe;
  const Kernel& kernel = kernel_of(at);
  const auto is_like = [&](const Kernel& other) {
    return asks_the_same(other, kernel) && other.blocks == kernel.blocks &&
           other.cluster == kernel.cluster;
  };
  int alike = 0;
  for (auto ahead = ahead_in_stream(probe, at.fact->kernel);
       ahead && is_like(probe.kernels[*ahead]); ahead = ahead_in_stream(probe, *ahead)) {
    ++alike;
  }
  return alike;
}

/// The most, or the least, that any kernel has which was launched by then.
int so_far(const Quantity& quantity, const FactOfRecording& at, bool most) {
  int value = quantity.of(kernel_of(at));
  const auto& script = at.recording->probe.script;
  for (int step = 0; step <= at.fact->step; ++step) {
    if (!script[step].launch) continue;
    const int other = quantity.of(at.recording->probe.kernels[*script[step].launch]);
    value = most ? std::max(value, other) : std::min(value, other);
  }
  return value;
}

using ValueOf = std::function<int(const FactOfRecording&)>;

/// What facts may have in common, those first that are preferred.
std::vector<std::pair<Trait, ValueOf>> properties(bool at_least) {
  std::vector<std::pair<Trait, ValueOf>> all;
  for (const Quantity& quantity : kernel_quantities()) {
    all.push_back({{quantity.name, Whose::kernel, at_least, 0, quantity.field},
                   [&](const FactOfRecording& at) { return quantity.of(kernel_of(at)); }});
  }
  const auto add = [&](std::string_view name, ValueOf of) {
    all.push_back({{name, Whose::moment, at_least}, std::move(of)});
  };
  add("kernels in the probe", [](const FactOfRecording& at) {
    return static_cast<int>(at.recording->probe.kernels.size());
  });
  add("kernels launched before", launched_before);
  add("steps into the script", [](const FactOfRecording& at) { return at.fact->step; });
  add("probes before it in its session", [](const FactOfRecording& at) { return at.before; });
  add("kernels like it just ahead in its stream", like_it_ahead);
  for (const Quantity& quantity : kernel_quantities()) {
    all.push_back(
        {{quantity.name, Whose::launched, at_least},
         [&, at_least](const FactOfRecording& at) { return so_far(quantity, at, at_least); }});
  }
  for (const Quantity& quantity : kernel_quantities()) {
    all.push_back({{quantity.name, Whose::ahead, at_least}, [&](const FactOfRecording& at) {
                     const Probe& probe = at.recording->probe;
                     const auto ahead = ahead_in_stream(probe, at.fact->kernel);
                     return ahead ? quantity.of(probe.kernels[*ahead]) : 0;
                   }});
  }
  return all;
}

/// Whether something of a hypothesis's hidden state is as one probe left it when the next begins.
bool outlives_probes(const Hypothesis& hypothesis) {
  return PointerReset::may_survive(hypothesis.get<PointerReset>()) ||
         ConfigChange::is_remembered(hypothesis.get<ConfigChange>()) ||
         (CursorReset::may_survive(hypothesis.get<CursorReset>()) &&
          has_cursor(hypothesis.get<Selection>()));
}

/// A trait of all wrong facts, and of which right ones it is, too.
struct Shared {
  Trait trait;
  std::vector<char> right;

  int right_here() const { return static_cast<int>(std::ranges::count(right, 1)); }
  int right_beside(const Shared& other) const {
    return std::transform_reduce(right.begin(), right.end(), other.right.begin(), 0, std::plus(),
                                 [](char a, char b) { return a & b; });
  }
};

std::vector<Shared> traits_of(const FactsToldApart& facts) {
  std::vector<Shared> all;
  for (const bool at_least : {true, false}) {
    for (auto& [trait, value] : properties(at_least)) {
      const auto [least, most] = std::ranges::minmax(facts.wrong, {}, value);
      trait.threshold = value(at_least ? least : most);
      Shared& shared = all.emplace_back(Shared{trait, {}});
      for (const FactOfRecording& at : facts.right) {
        const int its = value(at);
        shared.right.push_back(at_least ? its >= trait.threshold : its <= trait.threshold);
      }
    }
  }
  return all;
}

}  // namespace

FactsToldApart told_apart(const std::vector<RecordingSet>& sets, const Hypothesis& hypothesis,
                          const std::vector<Mismatch>& wrong) {
  FactsToldApart facts;
  const auto is_wrong = [&](const Recording& recording, const Fact& fact) {
    return std::ranges::any_of(wrong, [&](const Mismatch& mismatch) {
      return mismatch.recording == recording.name() && mismatch.where == recording.where &&
             mismatch.fact == fact;
    });
  };
  const auto is_of_kind = [&](const Fact& fact) {
    return std::ranges::any_of(
        wrong, [&](const Mismatch& mismatch) { return mismatch.fact.kind == fact.kind; });
  };
  for (const RecordingSet& set : sets) {
    int before = -1;
    bool parted = false;  // from what the hypothesis says
    for (const Recording& recording : set.recordings) {
      before = recording.fresh ? 0 : before + 1;
      if (recording.fresh || !outlives_probes(hypothesis)) parted = false;
      for (const Fact& fact : recording.facts) {
        if (parted) break;
        parted = is_wrong(recording, fact);
        if (parted) {
          facts.wrong.push_back({&recording, &fact, before});
        } else if (is_of_kind(fact)) {
          facts.right.push_back({&recording, &fact, before});
        }
      }
    }
  }
  return facts;
}

std::optional<Pattern> pattern_of(const FactsToldApart& facts) {
  constexpr std::size_t fewest = 3;  // two have something in common as a rule
  constexpr std::size_t fewest_for_two = 6;
  constexpr int times_fewer = 4;  // that two traits are of than one, if they are to mean something
  if (facts.wrong.size() < fewest || facts.right.empty()) return std::nullopt;
  const std::vector<Shared> traits = traits_of(facts);
  const auto& best = *std::ranges::min_element(traits, {}, &Shared::right_here);
  Pattern pattern{{best.trait},
                  static_cast<int>(facts.wrong.size()),
                  best.right_here(),
                  static_cast<int>(facts.right.size())};
  if (facts.wrong.size() >= fewest_for_two) {
    int fewer = pattern.right_here / times_fewer;
    for (auto one = traits.begin(); one != traits.end(); ++one) {
      for (auto other = one + 1; other != traits.end(); ++other) {
        const int here = one->right_beside(*other);
        if (here >= fewer) continue;
        fewer = here;
        pattern.traits = {one->trait, other->trait};
        pattern.right_here = here;
      }
    }
  }
  if (2 * pattern.right_here >= pattern.right) return std::nullopt;
  return pattern;
}

std::vector<Probe> halving(const Pattern& pattern, const FactsToldApart& facts,
                           const Device& device) {
  const Trait& trait = pattern.traits.front();
  if (!trait.field) return {};
  const auto value = [&](const FactOfRecording& at) { return kernel_of(at).*trait.field; };
  const auto distance = [&](int other) { return std::abs(other - trait.threshold); };
  std::set<int> beyond;  // distances of right values
  for (const FactOfRecording& at : facts.right) {
    const int right = value(at);
    if (trait.at_least ? right < trait.threshold : right > trait.threshold) {
      beyond.insert(distance(right));
    }
  }
  std::vector<FactOfRecording> wrong = facts.wrong;
  std::ranges::stable_sort(wrong, {},
                           [&](const FactOfRecording& at) { return distance(value(at)); });
  std::vector<Probe> probes;
  for (const int right : beyond | std::views::take(2)) {
    if (right < 2) continue;
    for (const FactOfRecording& at : wrong) {
      Kernel kernel = kernel_of(at);
      kernel.*trait.field = trait.threshold + (trait.at_least ? -right : right) / 2;
      auto probe = with_kernel(at.recording->probe, at.fact->kernel, std::move(kernel), device);
      if (probe) probes.push_back(*std::move(probe));
    }
  }
  return probes;
}

}  // namespace cuvier
