#include "uses/fits/fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hypotheses/prediction.h"

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
          "the kernels prefer different shared-memory carve-outs under {}, and one that an SM "
          "has for a resident block may refuse another; prefer the largest for all of them "
          "(cudaFuncAttributePreferredSharedMemoryCarveout = 100) and say --assume "
          "config_rounding=largest",
          describe(hypothesis));
    }
  }
  return premises;
}

/// What orders of launches show, under each hypothesis.
void look_at_orders(const Device& device, Models& models, const std::vector<Kernel>& kernels,
                    const FitsLimits& limits, Fits& fits) {
  bool all_seen = true;
  bool all_have_safe = true;
  Order as_listed;
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) as_listed.arrivals.push_back({k});
  const Probe all = probe_of(as_listed, kernels, "all");
  while (const auto hypothesis = models.next()) {
    if (fits.launches > limits.most_launches) {
      all_seen = false;
      fits.why_not_always = "not every hypothesis was looked at";
      break;
    }
    fits.looked_at.push_back(*hypothesis);
    const Orders seen = orders(device, *hypothesis, kernels, {}, limits.orders);
    fits.launches += seen.launches;
    if (seen.stranding) {
      fits.stranding = seen.stranding;
      fits.hypothesis = *hypothesis;
      fits.safe = seen.safe;
      const bool none = !seen.safe && seen.all_seen;
      fits.verdict = none ? Fits::Verdict::never : Fits::Verdict::unsafe;
      fits.reason = none ? "every order of launches strands a block" : "this order strands blocks";
      return;
    }
    const bool open = steps_of_one_outcome(device, *hypothesis, all) < std::ssize(all.script);
    all_have_safe = all_have_safe && seen.safe;
    if (seen.safe) fits.safe = seen.safe;
    if (open) fits.reason = "the model leaves to chance where blocks of large grids go";
    if (open || !seen.all_seen) {
      all_seen = false;
    } else {
      models.all_orders_are_safe(seen.all_safe, kernels);
    }
  }
  if (!all_have_safe) fits.safe.reset();
  if (all_seen) {
    fits.verdict = Fits::Verdict::under_model;
    fits.reason = "every order of launches places all blocks";
  } else if (fits.reason.empty()) {
    fits.reason = fmt::format(
        "there are more orders of launches than the {} launches that were "
        "looked at, none of which strands a block",
        fits.launches);
  }
}

}  // namespace

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
      ListedModels first({models.next().value()});
      look_at_orders(device, first, kernels, limits, fits);
      fits.verdict = Fits::Verdict::never;
      fits.reason = fits.proof->claim.sentence;
      return fits;
    }
  }
  look_at_orders(device, models, kernels, limits, fits);
  const Premises assumed = premises(device, fits.looked_at, kernels);
  if (fits.why_not_always.empty()) fits.why_not_always = assumed.violated;
  if (fits.verdict == Fits::Verdict::unsafe || fits.verdict == Fits::Verdict::never) return fits;
  auto claim = nothing_is_stranded(device, kinds, assumed.carve_out);
  if (!claim) {
    if (fits.why_not_always.empty()) {
      fits.why_not_always = "there is too much that an SM could hold to list it";
    }
    return fits;
  }
  AnsweredClaim proof = prove(std::move(*claim), limits.smt);
  const bool holds = proof.holds();
  if (proof.answer.kind == SmtAnswer::Kind::unknown && fits.why_not_always.empty()) {
    fits.why_not_always = "Z3 gave up: " + proof.answer.reason;
  } else if (!holds && fits.why_not_always.empty()) {
    fits.why_not_always =
        "a scheduler that wastes no room could put blocks elsewhere than the "
        "model, and strand one";
  }
  if (holds && fits.why_not_always.empty()) {
    fits.verdict = Fits::Verdict::always;
    fits.reason = proof.claim.sentence;
  }
  fits.proof = std::move(proof);
  return fits;
}

}  // namespace cuvier
