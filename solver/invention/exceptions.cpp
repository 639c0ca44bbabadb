#include "solver/invention/exceptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "hypotheses/axes/demand.h"
#include "solver/invention/explains.h"
#include "solver/invention/two_cases.h"

namespace cuvier {
namespace {

constexpr std::size_t kMostFound = 8;

/// Of blocks only the first ones, which are asked::all.
constexpr FormulaName kOfKernel[] = {
    asked::all[0],
    asked::all[1],
    asked::all[2],
    {"threads", "of a block", 1, kThreadsPerWarp* kMostOfAnSm},
    {"local", "bytes of a thread", 0, kMostLocal},
    {"blocks", "of the grid", 1, kMostBlocks},
    {"priority", "of the kernel; the lower goes first", -kMostBlocks, kMostBlocks},
};

Kind kind_of(const Kernel& kernel, std::size_t names) {
  Kind kind{kernel.warps(), kernel.registers, kernel.shared,  kernel.threads,
            kernel.local,   kernel.blocks,    kernel.priority};
  kind.resize(names);
  return kind;
}

/// Kernels of some kinds deviate.
class ExceptionTrials : public KindTrials {
 public:
  /// All must outlive it. `order`: of the sessions, what is tried first.
  ExceptionTrials(const Device& device, const std::vector<Session>& sessions,
                  std::vector<int> order, const Hypothesis& base, const Deviation& deviation)
      : device_(device),
        sessions_(sessions),
        order_(std::move(order)),
        base_(base),
        deviation_(deviation) {}

  std::span<const FormulaName> names() const override { return exception_names(deviation_); }
  double blocks() const override { return blocks_; }

  Outcome outcome(int session, const IsOther& is_other) override {
    Outcome outcome{true};
    blocks_ += cost_of(sessions_[session]);
    SpecialCase mechanism(device_, base_, deviation_, [&](const Kernel& kernel) {
      return is_other(kind_of(kernel, names().size()));
    });
    for (const Recording& recording : sessions_[session]) {
      const Observation predicted = mechanism.replay(recording);
      int wrong = static_cast<int>(recording.probe.script.size());  // the first step that is
      for (const Fact& fact : recording.facts) {
        if (agrees(fact, predicted, recording.probe)) continue;
        outcome.explained = false;
        if (fact.step >= 0) wrong = std::min(wrong, fact.step);
      }
      add_launched(recording.probe, wrong, outcome.kinds);
      if (!outcome.explained) break;
    }
    return outcome;
  }

  std::optional<int> refuting(const IsOther& is_other, const std::vector<int>& but_for) override {
    const auto refutes = std::ranges::find_if(order_, [&](int session) {
      return !std::ranges::binary_search(but_for, session) && !outcome(session, is_other).explained;
    });
    if (refutes == order_.end()) return std::nullopt;
    const int session = *refutes;
    std::rotate(order_.begin(), refutes, refutes + 1);
    return session;
  }

 private:
  void add_launched(const Probe& probe, int up_to, std::vector<Kind>& kinds) const {
    for (int step = 0; step < std::ssize(probe.script) && step <= up_to; ++step) {
      if (!probe.script[step].launch) continue;
      const Kernel& kernel = probe.kernels[*probe.script[step].launch];
      Kernel taken = kernel;
      if (deviation_.taken_for) deviation_.taken_for(taken);
      if (deviation_.taken_for && taken == kernel) continue;
      Kind kind = kind_of(kernel, names().size());
      if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(std::move(kind));
    }
  }

  const Device& device_;
  const std::vector<Session>& sessions_;
  std::vector<int> order_;
  const Hypothesis& base_;
  const Deviation& deviation_;
  double blocks_ = 0;
};

}  // namespace

std::span<const FormulaName> exception_names(const Deviation& deviation) {
  const std::span<const FormulaName> all = kOfKernel;
  return deviation.of_blocks() ? all.first(asked::all.size()) : all;
}

SpecialCase mechanism_of(const Device& device, const Exception& exception) {
  const auto names = exception_names(exception.deviation);
  return {device, exception.base, exception.deviation,
          [is_other = condition_on(names, exception.condition), count = names.size()](
              const Kernel& kernel) { return is_other(kind_of(kernel, count)); }};
}

std::string words_of(const Exception& exception) {
  const auto names = exception_names(exception.deviation);
  const Formula condition =
      parse_formula({names, FormulaInfo::Gives::condition, "", 0, 1}, exception.condition);
  std::vector<std::string> meanings;
  for (int name = 0; name < std::ssize(names); ++name) {
    if (!condition.reads(name)) continue;
    meanings.push_back(fmt::format("{}: {}", names[name].name, names[name].meaning));
  }
  return fmt::format("{}, but where {} ({}): {}", describe(exception.base), exception.condition,
                     fmt::join(meanings, "; "), exception.deviation.words);
}

std::vector<Exception> exceptions_that_explain(const Device& device,
                                               const std::vector<Session>& sessions,
                                               const Hypothesis& mechanism,
                                               const std::vector<Deviation>& deviations,
                                               double most_blocks, const Task& task) {
  const auto [order, wrong_ones] = wrong_first(device, mechanism, sessions);
  const std::vector<int> wrong(order.begin(), order.begin() + wrong_ones);
  std::vector<Exception> found;
  double left = wrong.empty() ? 0 : most_blocks;
  for (const Deviation& deviation : deviations) {
    if (deviation.device || left <= 0) continue;
    task.doing(fmt::format("inventing exceptions: {}", deviation.words));
    ExceptionTrials trials(device, sessions, order, mechanism, deviation);
    for (std::string& condition : conditions_between(trials, wrong, left, task)) {
      found.push_back({mechanism, deviation, std::move(condition)});
    }
    left -= trials.blocks();
  }
  std::ranges::stable_sort(found, {}, [](const Exception& each) { return each.condition.size(); });
  if (found.size() > kMostFound) found.resize(kMostFound);
  return found;
}

std::vector<DeviceCorrection> corrections_that_explain(const Device& device,
                                                       const std::vector<Session>& sessions,
                                                       const Hypothesis& mechanism,
                                                       const Task& task) {
  // Those that go wrong first: nearly all corrections fail there.
  const auto [order, wrong] = wrong_first(device, mechanism, sessions);
  if (wrong == 0) return {};
  std::vector<DeviceCorrection> corrections;
  for (const DeviceCorrection& correction : single_corrections(device)) {
    task.still();
    const Device other = corrected(device, {correction});
    // A learned order is one of all SMs.
    if (other.sms != device.sms && mechanism.get<TieBreak>() == TieBreak::learned) continue;
    if (std::ranges::all_of(order, [&](int session) {
          return explains(Simulator(other, mechanism), sessions[session]);
        })) {
      corrections.push_back(correction);
    }
  }
  return corrections;
}

}  // namespace cuvier
