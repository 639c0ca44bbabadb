#include "solver/check/oracle_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "hypotheses/neighbours.h"
#include "probes/family.h"
#include "probes/json_fields.h"
#include "probes/local_level.h"
#include "solver/check/device_claims.h"

namespace cuvier {
namespace {

constexpr int runs_of_each = 3;

/// Sessions that must answer as the first did, at once where that is offered.
constexpr int kCompared = 2;

class Checker {
 public:
  Checker(Oracle& oracle, Journal& journal, const Task& task)
      : oracle_(oracle),
        journal_(journal),
        task_(task),
        device_(oracle.device()),
        session_(oracle.session()) {}

  OracleCheck run(std::uint64_t seed) {
    result_.oracle = oracle_.description();
    result_.channels = oracle_.channels();
    check_sessions(seed);
    measure_device(seed);
    if (correct()) measure_device(seed);
    Rng rng(seed);
    for (const ProbeFamily& family : probe_families(device_)) {
      Probe probe = family.draw(device_, rng);
      probe.name = family.name;
      check_repeated(probe);
    }
    check_refusal();
    std::ranges::sort(milliseconds_);
    if (!milliseconds_.empty()) result_.probe_ms = milliseconds_[milliseconds_.size() / 2];
    return std::move(result_);
  }

 private:
  /// Its answers, as they are in the journal; none where it was refused.
  std::vector<Recording> ask(const Probe& probe, int repeat) {
    task_.doing("asking " + probe.name);
    const auto start = std::chrono::steady_clock::now();
    std::vector<Recording> recordings;
    refusal_.clear();
    try {
      std::vector<Answer> answers = oracle_.run(probe, repeat);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      milliseconds_.push_back(took.count() / static_cast<double>(answers.size()));
      for (Answer& answer : answers) {
        const bool fresh =
            std::exchange(session_, oracle_.session()) != oracle_.session() || first_;
        first_ = false;
        recordings.push_back(
            journal_.append(probe, std::move(answer), fresh, oracle_.opening(), Json::object()));
      }
    } catch (const OracleRefusal& refusal) {
      refusal_ = refusal.what();
      ++result_.refused;
      return {};
    }
    return recordings;
  }

  static std::vector<Fact> facts_of_all(const std::vector<Recording>& recordings) {
    std::vector<Fact> facts;
    for (const Recording& recording : recordings) {
      facts.insert(facts.end(), recording.facts.begin(), recording.facts.end());
    }
    return facts;
  }

  /// The same probes in two sessions, that about local memory twice in each: it grows by the first,
  /// and where that outlives the probe, nobody waits in the second.
  void check_sessions(std::uint64_t seed) {
    Rng rng(seed);
    std::vector<Probe> probes = {growing(), growing()};
    for (const ProbeFamily& family : probe_families(device_)) {
      probes.push_back(family.draw(device_, rng));
      probes.back().name = fmt::format("{} in a session", family.name);
    }
    Conformance& conformance = result_.conformance;
    conformance.sessions = oracle_.begin_session();
    std::vector<std::vector<Fact>> first;
    for (const Probe& probe : probes) first.push_back(facts_of_all(ask(probe, 1)));
    conformance.state = first[0] != first[1];
    // Nobody knows where another session of a device begins that others use.
    if (!conformance.sessions || oracle_.opening()) return;
    conformance.compared = static_cast<int>(probes.size());
    oracle_.hold_sessions(kCompared, [&](Oracle& oracle, int, const Oracle::Then& then) {
      bool fresh = true;
      for (std::size_t i = 0; i < probes.size(); ++i) {
        std::optional<Answer> answer;
        try {
          answer = oracle.run(probes[i], 1).front();
        } catch (const OracleRefusal&) {
        }
        const bool is_first = answer && std::exchange(fresh, false);
        then([&, i, answer, is_first, opening = oracle.opening()] {
          std::vector<Fact> again;
          try {
            if (answer) {
              again = journal_.append(probes[i], *answer, is_first, opening, Json::object()).facts;
            }
          } catch (const OracleRefusal&) {
            return;  // the journal says why it counts for nothing
          }
          const std::string& name = probes[i].name;
          auto& differing = conformance.differing;
          if (again == first[i] || std::ranges::find(differing, name) != differing.end()) return;
          differing.push_back(name);
        });
      }
    });
    oracle_.begin_session();
  }

  Probe growing() const {
    Kernel small{"k1", 1, kThreadsPerWarp, kFewestRegisters, 0, 0, 0, std::nullopt};
    Kernel large = small;
    large.name = "k2";
    large.local = local_of_level(highest_local_level);
    return {"local memory that grows", {small, large}, {{0, {}}, {1, {}}}};
  }

  /// A block of more threads than any may have.
  void check_refusal() {
    Probe probe{
        "a block that is too large",
        {{"k1", 1, device_.max_threads_per_block + kThreadsPerWarp, kFewestRegisters, 0, 0, 0, {}}},
        {{0, {}}}};
    task_.doing("asking " + probe.name);
    try {
      oracle_.run(probe, 1);
      result_.conformance.not_refused = "was answered";
    } catch (const OracleRefusal&) {
    } catch (const OracleInterrupted&) {
      throw;
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::oracle) throw;
      result_.conformance.not_refused = fmt::format("ended the oracle: {}", error.what());
    }
  }

  void measure_device(std::uint64_t seed) {
    result_.granularities = device_granularities(device_);
    Hypothesis granular;
    for (GranularityCheck& check : result_.granularities) {
      measure(check);
      if (check.left.empty()) continue;
      for (const int axis : check.axes) granular.values[axis] = check.left.front().values[axis];
    }
    result_.limits = device_claims(device_, granular);
    for (LimitCheck& check : result_.limits) measure(check, granular, seed);
    for (int size = 2; size <= device_.largest_cluster(); size *= 2) check_clusters(size);
  }

  /// Whether some facts of the file were found to be wrong. Not where another value of an axis
  /// would show all that was seen of a device that is as documented: then nobody knows which it is.
  bool correct() {
    if (std::ranges::all_of(result_.limits, &LimitCheck::holds)) return false;
    task_.doing("looking for the fewest facts to correct");
    Rng rng(0);
    for (const Hypothesis& other : single_axis_changes(device_, {}, rng)) {
      task_.still();
      if (explains(device_, other, result_)) return false;
    }
    result_.corrections = smallest_corrections(device_, result_, task_);
    device_ = corrected(device_, result_.corrections);
    return !result_.corrections.empty();
  }

  void measure(GranularityCheck& check) {
    for (const Probe& probe : std::exchange(check.probes, {})) {
      const std::vector<Recording> seen = ask(probe, 1);
      if (!refusal_.empty()) {
        check.refused = refusal_;
        continue;
      }
      check.probes.push_back(probe);
      check.seen.push_back(blocks_started(device_, facts_of_all(seen)));
    }
    std::ranges::copy_if(
        check.candidates, std::back_inserter(check.left),
        [&](const Hypothesis& candidate) { return shows(device_, candidate, check); });
  }

  void measure(LimitCheck& check, const Hypothesis& granular, std::uint64_t seed) {
    check.seen = check.measure(device_, facts_of_all(ask(check.probe, 1)));
    check.refused = refusal_;
    if (check.holds() || !check.refused.empty()) return;
    Rng rng(seed);
    for (const Hypothesis& other : single_axis_changes(device_, granular, rng)) {
      if (shows(device_, other, check)) check.unless.push_back(differences(granular, other));
    }
  }

  /// Whether the map of GPCs is true, as far as one cluster a GPC shows.
  void check_clusters(int size) {
    const int gpcs = 1 + *std::ranges::max_element(device_.gpc_of_sm);
    Kernel kernel{"k1", gpcs * size, kThreadsPerWarp, kFewestRegisters, 0, 0, 0, std::nullopt};
    kernel.cluster = size;
    LimitCheck check{launch_all(fmt::format("gpc_of_sm, by clusters of {}", size), {kernel}),
                     "gpc_of_sm", "cluster", gpcs};
    for (const Fact& fact : facts_of_all(ask(check.probe, 1))) {
      if (fact.kind == Fact::Kind::sm) check.seen += clusters_on_one_gpc(fact.values, size);
    }
    check.refused = refusal_;
    result_.limits.push_back(std::move(check));
  }

  /// `sms`: of blocks in ascending order.
  int clusters_on_one_gpc(const std::vector<int>& sms, int size) const {
    const std::vector<int>& gpc_of_sm = device_.gpc_of_sm;
    int clusters = 0;
    for (std::size_t first = 0; first + size <= sms.size(); first += size) {
      const int gpc = gpc_of_sm.at(sms[first]);
      clusters += std::all_of(sms.begin() + first, sms.begin() + first + size,
                              [&](int sm) { return gpc_of_sm.at(sm) == gpc; });
    }
    return clusters;
  }

  /// In a session a probe may find other hidden state each time: what counts is whether its exact
  /// steps have as many blocks on each SM.
  void check_repeated(const Probe& probe) {
    const std::vector<Recording> seen = ask(probe, runs_of_each);
    if (seen.size() < 2) return;
    ++result_.repeated;
    const auto counts = [](const Recording& recording) {
      std::vector<std::pair<int, std::size_t>> started;
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) started.emplace_back(fact.step, fact.values.size());
      }
      return started;
    };
    const bool same = std::ranges::all_of(
        seen, [&](const Recording& each) { return counts(each) == counts(seen.front()); });
    if (same) {
      ++result_.steady;
    } else {
      result_.unsteady.push_back(probe.name);
    }
    result_.conformance.state =
        result_.conformance.state || std::ranges::any_of(seen, [&](const Recording& each) {
          return each.facts != seen.front().facts;
        });
  }

  Oracle& oracle_;
  Journal& journal_;
  const Task& task_;
  Device device_;  ///< as it says, and then with corrections
  int session_;
  bool first_ = true;
  std::string refusal_;
  std::vector<double> milliseconds_;
  OracleCheck result_;
};

}  // namespace

bool OracleCheck::good() const {
  return unsteady.empty() && corrections.empty() && conformance.differing.empty() &&
         conformance.not_refused.empty() && std::ranges::all_of(limits, &LimitCheck::holds);
}

OracleCheck check_oracle(Oracle& oracle, Journal& journal, std::uint64_t seed, const Task& task) {
  return Checker(oracle, journal, task).run(seed);
}

}  // namespace cuvier
