#include "solver/check/oracle_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "hypotheses/neighbours.h"
#include "probes/family.h"
#include "probes/json_fields.h"
#include "solver/check/device_claims.h"

namespace cuvier {
namespace {

constexpr int runs_of_each = 3;
constexpr int warp = 32;

class Checker {
 public:
  Checker(Oracle& oracle, Journal& journal, const std::function<void(const std::string&)>& doing)
      : oracle_(oracle), journal_(journal), doing_(doing), session_(oracle.session()) {}

  OracleCheck run(std::uint64_t seed) {
    result_.channels = oracle_.channels();
    Hypothesis granular;
    for (const DeviceGranularity& granularity : device_granularities(oracle_.device())) {
      const GranularityCheck& check = measure(granularity);
      if (check.left.empty()) continue;
      for (const int axis : check.axes) granular.values[axis] = check.left.front().values[axis];
    }
    for (const DeviceClaim& claim : device_claims(oracle_.device(), granular)) {
      check_claim(claim, granular, seed);
    }
    for (int size = 2; size <= oracle_.device().largest_cluster(); size *= 2) check_clusters(size);
    Rng rng(seed);
    for (const ProbeFamily& family : probe_families(oracle_.device())) {
      Probe probe = family.draw(oracle_.device(), rng);
      probe.name = family.name;
      check_repeated(probe);
    }
    std::ranges::sort(milliseconds_);
    if (!milliseconds_.empty()) result_.probe_ms = milliseconds_[milliseconds_.size() / 2];
    return std::move(result_);
  }

 private:
  /// Its answers, as they are in the journal; none where it was refused.
  std::vector<Recording> ask(const Probe& probe, int repeat) {
    doing_("asking " + probe.name);
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

  const GranularityCheck& measure(const DeviceGranularity& granularity) {
    const Device& device = oracle_.device();
    GranularityCheck check{granularity.what, granularity.axes, granularity.candidates, {}, {}};
    for (const Probe& probe : granularity.probes) {
      const std::vector<Recording> seen = ask(probe, 1);
      if (!refusal_.empty()) {
        check.refused = refusal_;
        continue;
      }
      const int blocks = blocks_started(device, facts_of_all(seen));
      std::erase_if(check.left, [&](const Hypothesis& candidate) {
        return predicted(device, candidate, probe, blocks_started) != blocks;
      });
      check.probes.push_back(probe.name);
    }
    return result_.granularities.emplace_back(std::move(check));
  }

  void check_claim(const DeviceClaim& claim, const Hypothesis& granular, std::uint64_t seed) {
    const Device& device = oracle_.device();
    LimitCheck check{claim.probe.name, claim.field, claim.documented, 0, {}, {}};
    check.seen = claim.measure(device, facts_of_all(ask(claim.probe, 1)));
    check.refused = refusal_;
    if (!check.holds() && check.refused.empty()) {
      Rng rng(seed);
      for (const Hypothesis& other : single_axis_changes(device, granular, rng)) {
        if (predicted(device, other, claim.probe, claim.measure) == check.seen) {
          check.unless.push_back(differences(granular, other));
        }
      }
    }
    result_.limits.push_back(std::move(check));
  }

  /// Whether the map of GPCs is true, as far as one cluster a GPC shows.
  void check_clusters(int size) {
    const Device& device = oracle_.device();
    const int gpcs = 1 + *std::ranges::max_element(device.gpc_of_sm);
    constexpr int few_registers = 16;
    Kernel kernel{"k1", gpcs * size, warp, few_registers, 0, 0, 0, std::nullopt};
    kernel.cluster = size;
    const std::string what = fmt::format("gpc_of_sm, by clusters of {}", size);
    LimitCheck check{what, "gpc_of_sm", gpcs, 0, {}, {}};
    for (const Recording& recording : ask(Probe{what, {kernel}, {{0, {}}}}, 1)) {
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) check.seen += clusters_on_one_gpc(fact.values, size);
      }
    }
    check.refused = refusal_;
    result_.limits.push_back(std::move(check));
  }

  /// `sms`: of blocks in ascending order.
  int clusters_on_one_gpc(const std::vector<int>& sms, int size) const {
    const std::vector<int>& gpc_of_sm = oracle_.device().gpc_of_sm;
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
  }

  Oracle& oracle_;
  Journal& journal_;
  const std::function<void(const std::string&)>& doing_;
  int session_;
  bool first_ = true;
  std::string refusal_;
  std::vector<double> milliseconds_;
  OracleCheck result_;
};

}  // namespace

bool OracleCheck::good() const {
  return unsteady.empty() && std::ranges::all_of(limits, &LimitCheck::holds);
}

OracleCheck check_oracle(Oracle& oracle, Journal& journal, std::uint64_t seed,
                         const std::function<void(const std::string&)>& doing) {
  return Checker(oracle, journal, doing).run(seed);
}

}  // namespace cuvier
