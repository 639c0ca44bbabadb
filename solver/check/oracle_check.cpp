#include "solver/check/oracle_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "probes/family.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

constexpr int runs_of_each = 3;
constexpr int few_registers = 16;
constexpr int warp = 32;

struct Limit {
  std::string what;
  Kernel kernel;
  int documented;
};

/// Each fills the device by one resource, with a block more than there is room for.
std::vector<Limit> limits_of(const Device& device) {
  const auto kernel = [](int blocks, int threads, int shared) {
    return Kernel{"k1", blocks, threads, few_registers, shared, 0, 0, std::nullopt};
  };
  std::vector<Limit> limits;
  const auto fill = [&](const std::string& what, int threads, int shared, int on_each) {
    const int room = device.sms * on_each;
    limits.push_back({what, kernel(room + 1, threads, shared), room});
  };
  const int most_threads = device.max_threads_per_block;
  fill("block slots of an SM", warp, 0,
       std::min(device.max_blocks_per_sm, device.max_warps_per_sm));
  fill("warp slots of an SM", most_threads, 0, device.max_warps_per_sm * warp / most_threads);
  fill("shared memory of an SM", warp, device.max_shared_per_block, 1);
  limits.push_back({"threads of a block", kernel(1, most_threads, 0), 1});
  Kernel registers = kernel(1, warp, 0);
  registers.registers = device.max_registers_per_thread;
  limits.push_back({"registers of a thread", registers, 1});
  return limits;
}

class Checker {
 public:
  Checker(Oracle& oracle, Journal& journal, const std::function<void(const std::string&)>& doing)
      : oracle_(oracle), journal_(journal), doing_(doing), session_(oracle.session()) {}

  OracleCheck run(std::uint64_t seed) {
    result_.channels = oracle_.channels();
    for (const Limit& limit : limits_of(oracle_.device())) check_limit(limit);
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
    std::vector<Answer> answers;
    refusal_.clear();
    try {
      answers = oracle_.run(probe, repeat);
    } catch (const OracleRefusal& refusal) {
      refusal_ = refusal.what();
      ++result_.refused;
      return {};
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    milliseconds_.push_back(took.count() / static_cast<double>(answers.size()));
    std::vector<Recording> recordings;
    for (Answer& answer : answers) {
      const bool fresh = std::exchange(session_, oracle_.session()) != oracle_.session() || first_;
      first_ = false;
      recordings.push_back(
          journal_.append(probe, std::move(answer), fresh, oracle_.opening(), Json::object()));
    }
    return recordings;
  }

  void check_limit(const Limit& limit) {
    LimitCheck check{limit.what, limit.documented, 0, {}};
    Probe probe{limit.what, {limit.kernel}, {{0, {}}}};
    const std::vector<Recording> seen = ask(probe, 1);
    check.refused = refusal_;
    for (const Recording& recording : seen) {
      for (const Fact& fact : recording.facts) {
        if (fact.kind == Fact::Kind::sm) check.seen = static_cast<int>(fact.values.size());
      }
    }
    result_.limits.push_back(std::move(check));
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
