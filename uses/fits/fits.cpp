#include "uses/fits/fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hypotheses/plausible_models.h"
#include "hypotheses/simulator.h"

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
          "{} is launched in clusters, and the claim is about single "
          "blocks",
          kernel.name);
    } else if (kernel.local != kernels[0].local) {
      premises.violated = fmt::format(
          "{} and {} need different amounts of local memory, and one that needs more than the "
          "device is set up for may have to wait until it is idle",
          kernels[0].name, kernel.name);
    }
  }
  for (const Hypothesis& hypothesis : hypotheses) {
    const auto common = common_carve_out(device, hypothesis, kernels);
    if (common) {
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

using Verdict = Fits::Verdict;

/// `open`: the hypothesis has other outcomes, which were not looked at.
Verdict verdict_of(const Orders& seen, bool open) {
  if (seen.stranding) return !seen.safe && seen.all_seen ? Verdict::never : Verdict::unsafe;
  return open || !seen.all_seen ? Verdict::undecided : Verdict::under_model;
}

bool all_are(Verdict verdict, const Fits& fits) {
  return std::ranges::all_of(fits.asked, [&](const auto& each) { return each.verdict == verdict; });
}

/// What orders of launches show, under each hypothesis.
void look_at_orders(const Device& device, Models& models, const std::vector<Kernel>& kernels,
                    const FitsLimits& limits, Fits& fits) {
  Order as_listed;
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) as_listed.arrivals.push_back({k});
  const Probe all = probe_of(as_listed, kernels, "all");
  bool all_have_safe = true;
  while (const auto hypothesis = models.next()) {
    if (fits.launches > limits.most_launches) {
      fits.why_not_always = "not every hypothesis was looked at";
      break;
    }
    const Orders seen = orders(device, *hypothesis, kernels, {}, limits.orders);
    const bool open = steps_of_one_outcome(device, *hypothesis, all) < std::ssize(all.script);
    fits.launches += seen.launches;
    fits.asked.push_back({*hypothesis, verdict_of(seen, open)});
    if (fits.asked.back().verdict == Verdict::under_model) {
      models.all_orders_are_safe(seen.all_safe, kernels);
    }
    if (fits.stranding) continue;
    if (open) fits.reason = "the model leaves to chance where blocks of large grids go";
    fits.safe = seen.safe;
    all_have_safe = all_have_safe && seen.safe;
    fits.stranding = seen.stranding;
    fits.hypothesis = *hypothesis;
    if (fits.stranding && models.one_is_enough()) break;
  }
  if (!fits.stranding && !all_have_safe) fits.safe.reset();
  if (fits.stranding) {
    const bool none = all_are(Verdict::never, fits);
    fits.verdict = none ? Verdict::never : Verdict::unsafe;
    fits.reason = none ? "every order of launches strands a block" : "this order strands blocks";
  } else if (all_are(Verdict::under_model, fits) && fits.why_not_always.empty()) {
    fits.verdict = Verdict::under_model;
    fits.reason = "every order of launches places all blocks";
  } else if (fits.reason.empty()) {
    fits.reason = fmt::format(
        "there are more orders of launches than the {} launches that were "
        "looked at, none of which strands a block",
        fits.launches);
  }
}

}  // namespace

std::vector<Hypothesis> Fits::looked_at() const {
  std::vector<Hypothesis> hypotheses;
  for (const Asked& each : asked) hypotheses.push_back(each.hypothesis);
  return hypotheses;
}

std::optional<std::string> kept_apart(const Device& device, const std::vector<Kernel>& kernels) {
  std::map<std::string, std::string> first;
  for (const Kernel& kernel : kernels) {
    if (!kernel.stream) continue;
    const auto [found, added] = first.try_emplace(*kernel.stream, kernel.name);
    if (!added) {
      return fmt::format(
          "{} and {} are in one stream ({}), where the later one starts once the "
          "earlier one has ended; give each a stream of its own",
          found->second, kernel.name, *kernel.stream);
    }
  }
  if (std::ssize(kernels) > device.max_resident_kernels) {
    return fmt::format("these are {} kernels, and {} has no more than {} resident at once",
                       kernels.size(), device.name, device.max_resident_kernels);
  }
  return std::nullopt;
}

Fits fits(const Device& device, const std::vector<Hypothesis>& hypotheses,
          const std::vector<Kernel>& kernels, const FitsLimits& limits) {
  ListedModels models(hypotheses);
  return fits(device, models, kernels, limits);
}

Fits fits(const Device& device, Models& models, const std::vector<Kernel>& kernels,
          const FitsLimits& limits) {
  Fits fits{};
  if (const auto apart = kept_apart(device, kernels)) {
    fits.verdict = Fits::Verdict::never;
    fits.reason = *apart;
    return fits;
  }
  const std::vector<Kernel> kinds = demands_of(kernels).kinds;
  if (auto claim = all_do_not_fit(device, kinds)) {
    AnsweredClaim proof = prove(std::move(*claim), limits.smt);
    if (proof.holds()) {
      fits.verdict = Fits::Verdict::never;
      fits.reason = proof.claim.sentence;
      fits.proof = std::move(proof);
      look_at_orders(device, models, kernels, limits, fits);
      fits.verdict = Fits::Verdict::never;
      fits.reason = fits.proof->claim.sentence;
      return fits;
    }
  }
  look_at_orders(device, models, kernels, limits, fits);
  const Premises assumed = premises(device, fits.looked_at(), kernels);
  if (fits.why_not_always.empty()) fits.why_not_always = assumed.violated;
  if (fits.stranding || !fits.why_not_always.empty()) return fits;
  auto claim = nothing_is_stranded(device, kinds, assumed.carve_out);
  if (!claim) {
    fits.why_not_always = "there is too much that an SM could hold to list it";
    return fits;
  }
  fits.proof = prove(std::move(*claim), limits.smt);
  if (fits.proof->holds()) {
    fits.verdict = Fits::Verdict::always;
    fits.reason = fits.proof->claim.sentence;
  } else if (fits.proof->answer.kind == SmtAnswer::Kind::unknown) {
    fits.why_not_always = "Z3 gave up: " + fits.proof->answer.reason;
  } else {
    fits.why_not_always =
        "a scheduler that wastes no room could put blocks elsewhere than the "
        "model, and strand one";
  }
  return fits;
}

}  // namespace cuvier
