#include "uses/fits/fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "hypotheses/plausible_models.h"
#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/mapped.h"
#include "uses/fits/others.h"

namespace cuvier {
namespace {

/// The carve-out that all of them prefer, if there is one: then none is refused for it.
std::optional<int> common_carve_out(const Device& device, const Hypothesis& hypothesis,
                                    const std::vector<Kernel>& kernels) {
  if (hypothesis.get<ConfigScope>() == ConfigScope::none) return device.largest_config();
  std::optional<int> common;
  for (const Kernel& kernel : kernels) {
    Kernel alone = kernel;
    alone.stream.reset();
    const Observation seen = predict(device, hypothesis, Probe{"", {alone}, {{0, {}}}});
    const int preferred = seen.steps[0].shared_config.at(0);
    if (common && *common != preferred) return std::nullopt;
    common = preferred;
  }
  return common;
}

/// The kernels, and behind them those that are resident.
std::vector<Kernel> together(std::vector<Kernel> kernels, const Others& others) {
  kernels.insert(kernels.end(), others.resident.begin(), others.resident.end());
  return kernels;
}

std::vector<Kernel> some_of(const std::vector<Kernel>& kernels, const std::vector<int>& which) {
  return mapped(which, [&](int k) { return kernels[k]; });
}

/// All largest sets of its kernels that may be on the device together.
std::vector<std::vector<Kernel>> sets_at_once(const KernelSet& set) {
  return mapped(Sequence(set.kernels.size(), set.launching.edges).resident_at_once(),
                [&](const auto& some) { return some_of(set.kernels, some); });
}

/// The SMs that are left to the kernels. How many they are is all that is claimed of them.
Device left_by(const Others& others, Device device) {
  device.sms -= others.reserved.count;
  return device;
}

/// What a claim about every scheduler would be about, and could not: some rules are no matter of
/// room.
struct Premises {
  int carve_out = 0;     ///< bytes of shared memory that an SM has, on which nothing is refused
  std::string violated;  ///< empty: none
};

Premises premises(const Device& device, const std::vector<Hypothesis>& hypotheses,
                  const std::vector<Kernel>& kernels) {
  Premises premises{device.largest_config(), {}};
  for (const Kernel& kernel : kernels) {
    if (kernel.cluster) {
      premises.violated = fmt::format(
          "{} is launched in clusters, and the claim is about single blocks", kernel.name);
    } else if (kernel.local != kernels[0].local) {
      premises.violated = fmt::format(
          "{} and {} need different amounts of local memory, and one that needs more than the "
          "device is set up for may have to wait until it is idle",
          kernels[0].name, kernel.name);
    }
  }
  for (const Hypothesis& hypothesis : hypotheses) {
    const auto common = common_carve_out(device, hypothesis, kernels);
    if (is_formula<ConfigChange>(hypothesis.get<ConfigChange>())) {
      premises.violated = fmt::format(
          "under {} a formula says which carve-out an SM has, and that may be less than kernels "
          "prefer",
          model_name(hypothesis));
    } else if (common) {
      premises.carve_out = std::min(premises.carve_out, *common);
    } else {
      premises.violated = fmt::format(
          "the kernels prefer different shared-memory carve-outs under {0}, and one that an SM "
          "has for a resident block may refuse another; prefer the largest for all of them "
          "(cudaFuncAttributePreferredSharedMemoryCarveout = 100) and say --model "
          "{0},config_rounding=largest",
          model_name(hypothesis));
    }
  }
  return premises;
}

/// Those that are listed, one after another.
class ListedModels : public Models {
 public:
  explicit ListedModels(const std::vector<Hypothesis>& models) : left_(models) {}

  std::optional<Hypothesis> next() override {
    if (left_.empty()) return std::nullopt;
    const Hypothesis& next = left_.front();
    left_ = left_.subspan(1);
    return next;
  }

 private:
  std::span<const Hypothesis> left_;
};

using Verdict = Fits::Verdict;

bool all_are(Verdict verdict, const Fits& fits) {
  return std::ranges::all_of(fits.asked, [&](const auto& each) { return each.verdict == verdict; });
}

/// Looks at orders of launches, under one hypothesis after another.
class Look {
 public:
  Look(const Device& device, const KernelSet& set, const FitsLimits& limits, Fits& fits)
      : device_(device), set_(set), limits_(limits), fits_(fits) {
    Order as_listed;
    for (int k = 0; k < std::ssize(set.kernels); ++k) as_listed.arrivals.push_back({k});
    all_ = probe_of(as_listed, set.kernels, "all");
  }

  void at(Models& models) {
    bool all_have_safe = true;
    while (const auto hypothesis = models.next()) {
      if (fits_.launches > limits_.most_launches) {
        fits_.why_not_always = "not every hypothesis was looked at";
        break;
      }
      const bool is_first = !fits_.stranding;
      const bool open = steps_of_one_outcome(device_, *hypothesis, all_) < std::ssize(all_.script);
      const bool all = at_places(*hypothesis);
      fits_.asked.push_back({*hypothesis, verdict(all, open)});
      if (fits_.asked.back().verdict == Verdict::under_model && set_.others.none()) {
        models.all_orders_are_safe(safe_, set_.kernels);
      }
      if (!is_first) continue;
      if (open) fits_.reason = "the model leaves to chance where blocks of large grids go";
      all_have_safe = all_have_safe && fits_.safe;
      fits_.hypothesis = *hypothesis;
      if (fits_.stranding && models.one_is_enough()) break;
    }
    if (fits_.asked.empty())
      throw Error("models: there is none to predict launches with; name one");
    if (!set_.others.none() || (!fits_.stranding && !all_have_safe)) fits_.safe.reset();
    conclude();
  }

 private:
  /// Whether all was looked at. Not beyond what shows that there is no more to be known.
  bool at_places(const Hypothesis& hypothesis) {
    const Places places = places_of(set_.others, device_, hypothesis, set_.kernels);
    bool all = places.all;
    possible_ = stranding_ = placing_ = 0;
    safe_.clear();
    for (const Beside& beside : places.some) {
      if (stranding_ > 0 && placing_ > 0) break;
      if (fits_.launches > limits_.most_launches) return false;
      const Orders seen =
          orders(device_, hypothesis, set_.kernels, set_.launching.edges, limits_.orders, beside);
      fits_.launches += seen.launches;
      if (!seen.possible) continue;
      ++possible_;
      all = all && seen.all_seen;
      stranding_ += seen.stranding.has_value();
      placing_ += seen.safe.has_value() || !seen.all_seen;
      safe_ = seen.all_safe;
      if (fits_.stranding) continue;
      fits_.safe = seen.safe;
      fits_.stranding = seen.stranding;
      fits_.is_smallest = seen.all_seen;
      fits_.beside = beside;
    }
    fits_.places += possible_;
    if (possible_ == 0) throw without_place(set_.others, device_);
    return all;
  }

  /// `all` was looked at; `open`: the hypothesis has other outcomes, which were not.
  Verdict verdict(bool all, bool open) const {
    if (stranding_ > 0) return placing_ == 0 && all ? Verdict::never : Verdict::unsafe;
    return open || !all ? Verdict::undecided : Verdict::under_model;
  }

  void conclude() {
    if (fits_.stranding) {
      const bool none = all_are(Verdict::never, fits_);
      fits_.verdict = none ? Verdict::never : Verdict::unsafe;
      fits_.reason = none ? "every order of launches strands a block" : "this order strands blocks";
    } else if (all_are(Verdict::under_model, fits_) && fits_.why_not_always.empty()) {
      fits_.verdict = Verdict::under_model;
      fits_.reason = "every order of launches places all blocks";
      if (!set_.others.none()) fits_.reason += ", wherever others are";
    } else if (fits_.reason.empty() && !set_.others.none()) {
      fits_.reason = fmt::format(
          "others may be in more places than the {} that were looked at, in none of which an order "
          "of launches strands a block",
          fits_.places);
    } else if (fits_.reason.empty()) {
      fits_.reason = fmt::format(
          "there are more orders of launches than the {} launches that were "
          "looked at, none of which strands a block",
          fits_.launches);
    }
  }

  const Device& device_;
  const KernelSet& set_;
  const FitsLimits& limits_;
  Fits& fits_;
  Probe all_;
  // Of the places where others may be under the latest hypothesis:
  int possible_ = 0;
  int stranding_ = 0;        ///< so many where an order strands a block
  int placing_ = 0;          ///< so many where an order may place all
  std::vector<Order> safe_;  ///< the orders that place all, of the latest
};

/// every_scheduler() of kernels that may all be resident at once.
EveryScheduler of_these(const Device& device, const std::vector<Hypothesis>& hypotheses,
                        const std::vector<Kernel>& kernels, const Others& others,
                        const SmtLimits& limits) {
  const std::vector<Kernel> all = together(kernels, others);
  const Premises assumed = premises(device, hypotheses, all);
  if (!assumed.violated.empty()) return {{}, assumed.violated};
  const int asked = static_cast<int>(demands_of(kernels).size());  // the others' come later
  auto claim =
      nothing_is_stranded(left_by(others, device), demands_of(all), asked, assumed.carve_out);
  if (!claim) return {{}, "there is too much that an SM could hold to list it"};
  EveryScheduler every{prove(std::move(*claim), limits), {}};
  if (every.answered->holds()) return every;
  every.why_not = every.answered->answer.kind == SmtAnswer::Kind::unknown
                      ? "Z3 gave up: " + every.answered->answer.reason
                      : "a scheduler that wastes no room could put blocks elsewhere than the "
                        "model, and strand one";
  return every;
}

/// What premises() is violated by, of kernels that may be resident at once.
std::string violated_by(const Device& device, const std::vector<Hypothesis>& hypotheses,
                        const KernelSet& set) {
  for (const auto& some : sets_at_once(set)) {
    const std::vector<Kernel> all = together(some, set.others);
    std::string violated = premises(device, hypotheses, all).violated;
    if (!violated.empty()) return violated;
  }
  return {};
}

/// Proved, if it is so: the device cannot hold all blocks that are to stay on it.
std::optional<AnsweredClaim> never_fit(const Device& device, const KernelSet& set,
                                       const SmtLimits& limits) {
  const std::vector<int> staying = Sequence(set.kernels.size(), set.launching.edges).staying();
  const std::vector<Kernel> all = together(some_of(set.kernels, staying), set.others);
  auto claim = all_do_not_fit(left_by(set.others, device), demands_of(all));
  if (!claim) return std::nullopt;
  AnsweredClaim answered = prove(std::move(*claim), limits);
  return answered.holds() ? std::optional(std::move(answered)) : std::nullopt;
}

/// Whether the kernel has a place for all its blocks on the idle device, under some hypothesis.
bool fits_alone(const Device& device, const std::vector<Hypothesis>& hypotheses,
                const Kernel& kernel) {
  return std::ranges::any_of(hypotheses, [&](const Hypothesis& hypothesis) {
    return orders(device, hypothesis, {kernel}).safe.has_value();
  });
}

}  // namespace

std::vector<Hypothesis> Fits::looked_at() const { return mapped(asked, &Asked::hypothesis); }

bool is_safe(const Fits& fits) {
  return fits.verdict == Verdict::always || fits.verdict == Verdict::under_model;
}

bool is_a_probe(const Fits& fits) {
  return fits.stranding && fits.stranding->is_settled() && fits.beside.blocks.empty() &&
         fits.beside.reserved_sms.empty();
}

std::optional<std::string> kept_apart(const Device& device, const KernelSet& set) {
  const std::vector<Kernel> kernels = together(set.kernels, set.others);
  const Sequence sequence(kernels.size(), set.launching.edges);
  for (int k = 0; k < std::ssize(kernels); ++k) {
    for (int earlier = 0; earlier < k; ++earlier) {
      const bool is_in_turn = !kernels[k].stream || kernels[k].stream != kernels[earlier].stream;
      if (is_in_turn || !sequence.may_await(earlier, k)) continue;
      return fmt::format(
          "{} and {} are in one stream ({}), where the later one starts once the "
          "earlier one has ended; give each a stream of its own",
          kernels[earlier].name, kernels[k].name, *kernels[k].stream);
    }
  }
  std::size_t at_once = 0;
  for (const std::vector<int>& some : sequence.resident_at_once()) {
    at_once = std::max(at_once, some.size());
  }
  if (static_cast<int>(at_once) > device.max_resident_kernels) {
    return fmt::format("these are {} kernels, and {} has no more than {} resident at once", at_once,
                       device.name, device.max_resident_kernels);
  }
  return std::nullopt;
}

EveryScheduler every_scheduler(const Device& device, const std::vector<Hypothesis>& hypotheses,
                               const KernelSet& set, const SmtLimits& limits) {
  EveryScheduler every;
  for (const auto& some : sets_at_once(set)) {
    EveryScheduler of_some = of_these(device, hypotheses, some, set.others, limits);
    if (every.answered && of_some.answered) {
      // One query after the other.
      AnsweredClaim& both = *every.answered;
      of_some.answered->claim.smt2 = both.claim.smt2 + "(reset)\n" + of_some.answered->claim.smt2;
      of_some.answered->answer.seconds += both.answer.seconds;
    }
    every = std::move(of_some);
    if (!every.why_not.empty()) break;
  }
  return every;
}

Fits fits(const Device& device, const std::vector<Hypothesis>& hypotheses, const KernelSet& set,
          const FitsLimits& limits) {
  ListedModels models(hypotheses);
  return fits(device, models, set, limits);
}

Fits fits(const Device& device, Models& models, const KernelSet& asked, const FitsLimits& limits) {
  Fits fits{};
  if (const auto apart = kept_apart(device, asked)) {
    fits.verdict = Fits::Verdict::never;
    fits.reason = *apart;
    return fits;
  }
  KernelSet set = asked;
  if (!set.launching.edges.empty()) {  // which say what a stream that kernels share would
    for (Kernel& kernel : set.kernels) kernel.stream.reset();
  }
  fits.proof = never_fit(device, set, limits.smt);
  Look(device, set, limits, fits).at(models);
  for (const int k : set.launching.cooperative) {
    if (!fits_alone(device, fits.looked_at(), set.kernels[k])) fits.refused.push_back(k);
  }
  if (!fits.refused.empty()) {
    fits.verdict = Fits::Verdict::never;
    fits.reason = fmt::format(
        "the driver refuses the cooperative launch of {}, which does not fit even alone on the "
        "idle device",
        set.kernels[fits.refused.front()].name);
    return fits;
  }
  if (fits.proof) {
    fits.verdict = Fits::Verdict::never;
    fits.reason = fits.proof->claim.statement;
    return fits;
  }
  if (fits.why_not_always.empty()) {
    fits.why_not_always = violated_by(device, fits.looked_at(), set);
  }
  if (fits.stranding || !fits.why_not_always.empty()) return fits;
  auto [answered, why_not] = every_scheduler(device, fits.looked_at(), set, limits.smt);
  fits.proof = std::move(answered);
  fits.why_not_always = std::move(why_not);
  if (fits.why_not_always.empty()) {
    fits.verdict = Fits::Verdict::always;
    fits.reason = fits.proof->claim.statement;
  }
  return fits;
}

}  // namespace cuvier
