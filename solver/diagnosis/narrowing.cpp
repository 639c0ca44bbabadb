#include "solver/diagnosis/narrowing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/cancellation/task.h"
#include "solver/diagnosis/near_miss.h"
#include "solver/diagnosis/special_cases.h"
#include "solver/finding/pattern.h"
#include "solver/space/version_space.h"

namespace cuvier {
namespace {

constexpr int kFurther = 20;
constexpr int kNarrowing = 20;

/// Drawn, to tell special cases apart by one of them.
constexpr int kDrawn = 60;

/// Changes of a probe of which something is to stay: what all that goes wrong has in common by
/// chance goes.
constexpr int kFurtherOff = 6;

class Narrowing {
 public:
  Narrowing(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions, int max_probes,
            const NarrowingMeans& means)
      : oracle_(oracle),
        evidence_(evidence),
        assumptions_(assumptions),
        max_probes_(max_probes),
        means_(means) {}

  NearMiss run() {
    const Probe contradicting = evidence_.asked().back().probe();
    const int before = evidence_.probes();
    evidence_.replay_rest();
    if (!oracle_.answers_anything()) {
      read_on();
      return narrowed(0);
    }
    if (evidence_.probes() < before + kFurther) {
      means_.progress("refuted; what comes nearest, and where, takes a few more probes");
    }
    oracle_.begin_session();  // for the clash, probes may have been asked again in between
    ask_around(contradicting, before + kFurther);
    return narrowed(before + kFurther + kNarrowing);
  }

 private:
  /// By how much was asked: an inference that goes on from it draws the same.
  Rng anew() const { return Rng(evidence_.probes()); }

  bool may_ask(int enough) const {
    return evidence_.probes() < std::min(enough, max_probes_) && !means_.task.is_to_end();
  }

  /// False where it is refused.
  bool ask(Probe probe, const std::string& why) {
    return evidence_.ask({std::move(probe), "refuted, " + why, 0, 0, 0}) != nullptr;
  }

  bool was_refused(const Probe& probe) const {
    return std::ranges::any_of(evidence_.refused(),
                               [&](const Probe& refused) { return same_question(refused, probe); });
  }

  void read_on() {
    const std::vector<Probe> catalogue = oracle_.catalogue();
    for (auto next = static_cast<std::size_t>(evidence_.runs()); next < catalogue.size(); ++next) {
      evidence_.ask({catalogue[next], "recorded", 0, 0, 0});
    }
  }

  void ask_around(const Probe& contradicting, int enough) {
    const auto families = probe_families(oracle_.device());
    Rng rng = anew();
    for (int turn = 0; turn < 2 * kFurther && may_ask(enough); ++turn) {
      if (turn % 2 == 0) {
        const int changes = turn % 4 == 0 ? 1 : kFurtherOff;
        ask(varied(contradicting, changes, rng), "mutated " + contradicting.name);
      } else {
        const ProbeFamily& family = families[turn / 2 % families.size()];
        ask(family.draw(oracle_.device(), rng), std::string(family.name));
      }
    }
  }

  /// Where no special case explains it, a pattern may. What comes nearest may be another after
  /// that: until nothing is left to ask for the last.
  NearMiss narrowed(int enough) {
    const int before = evidence_.probes();
    NearMiss found = nearest();
    try {
      single_out(found, enough);
      if (!found.but_for) {
        // Few probes may be explained best by a hypothesis that only happens to.
        NearMiss simplest =
            miss_of(observed(), VersionSpace(oracle_.device(), assumptions_).simplest());
        single_out(simplest, enough);
        if (simplest.but_for) found = std::move(simplest);
      }
      while (!found.but_for && narrow(found, enough)) found = nearest();
      if (evidence_.probes() > before) return narrowed(enough);
    } catch (const Stopped&) {  // what was found by then is as good
    } catch (const OracleInterrupted&) {
    }
    return found;
  }

  /// Whether all was halved, and something was.
  bool narrow(NearMiss& found, int enough) {
    bool asked = false;
    while (may_ask(enough) && found.pattern) {
      const auto sets = observed();
      const auto probes = halving(*found.pattern, told_apart(sets, found.hypothesis, found.wrong),
                                  oracle_.device());
      if (probes.empty()) return asked;
      // What was asked, and is halfway still, did not tell.
      const auto next = std::ranges::find_if(probes, [&](const Probe& probe) {
        return !was_asked(probe, sets.front()) && !was_refused(probe);
      });
      if (next == probes.end()) return false;
      asked = true;
      ask(*next, fmt::format("narrowing {}", found.pattern->traits.front().property));
      found = miss_of(observed(), found.hypothesis);
    }
    return asked;
  }

  /// Perhaps the hypothesis holds but for kernels of a class: of those for which that explains
  /// most, probes tell which.
  void single_out(NearMiss& found, int enough) {
    if (found.wrong.empty()) return;
    for (bool is_over = false; !is_over;) {
      const int before = evidence_.probes();
      Rng rng = anew();
      SpecialCases cases(oracle_.device(), found.hypothesis, evidence_.space().observed(), rng,
                         means_.task);
      while (may_ask(enough)) {
        const auto probe = cases.splitting(drawn_around(found));
        if (!probe) break;
        oracle_.begin_session();
        if (!ask(*probe, "telling special cases apart")) break;
        cases.observe(evidence_.space().observed().back());
      }
      found = miss_of(observed(), found.hypothesis);
      found.but_for = cases.best();
      // Of what was asked since, other kernels may be singled out that explain more.
      is_over = evidence_.probes() == before || (found.but_for && found.but_for->wrong == 0);
    }
  }

  /// With so many changes.
  Probe varied(Probe probe, int changes, Rng& rng) const {
    for (int i = 0; i < changes; ++i) probe = mutate(probe, oracle_.device(), rng);
    return probe;
  }

  /// Probes like those that are wrong, and some of all families.
  std::vector<Probe> drawn_around(const NearMiss& found) {
    const auto& device = oracle_.device();
    const auto families = probe_families(device);
    const auto& observed = evidence_.space().observed();
    Rng rng = anew();
    std::vector<Probe> drawn;
    for (int i = 0; i < kDrawn; ++i) {
      const auto wrong =
          std::ranges::find(observed, pick_from(rng, found.wrong).recording, &Recording::name);
      drawn.push_back(i % 3 == 2 || wrong == observed.end()
                          ? pick_from(rng, families).draw(device, rng)
                          : varied(wrong->probe, i % 3 == 1 ? 1 : kFurtherOff, rng));
    }
    return drawn;
  }

  /// Whatever its name was then.
  static bool was_asked(const Probe& probe, const RecordingSet& set) {
    return std::ranges::any_of(set.recordings, [&](const Recording& recording) {
      return recording.probe.kernels == probe.kernels && recording.probe.script == probe.script;
    });
  }

  std::vector<RecordingSet> observed() const {
    return {{oracle_.description(), oracle_.device(), evidence_.space().observed()}};
  }

  /// Goes on from where it was before.
  NearMiss nearest() {
    const auto sets = observed();
    if (starts_.empty()) starts_ = near_miss_starts(sets, assumptions_, means_.task);
    NearMiss found = near_miss(sets, assumptions_, starts_, means_.task);
    starts_.push_back(found.hypothesis);
    return found;
  }

  Oracle& oracle_;
  EvidenceLog& evidence_;
  const Assumptions& assumptions_;
  int max_probes_;
  const NarrowingMeans& means_;
  std::vector<Hypothesis> starts_;
};

}  // namespace

NearMiss narrow_down(Oracle& oracle, EvidenceLog& evidence, const Assumptions& assumptions,
                     int max_probes, const NarrowingMeans& means) {
  return Narrowing(oracle, evidence, assumptions, max_probes, means).run();
}

}  // namespace cuvier
