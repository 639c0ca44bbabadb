#include "reports/fits_text.h"

#include <fmt/format.h>

#include "hypotheses/plausible_models.h"
#include "reports/waits_text.h"
#include "reports/words.h"

namespace cuvier {
namespace {

std::string arrival_words(const Order& order, const std::vector<Kernel>& kernels) {
  std::string text;
  for (const Arrival& arrival : order.arrivals) {
    if (!text.empty()) text += ", then ";
    text += kernels[arrival.kernel].name;
    if (arrival.after_blocks != Arrival::settled) {
      text += fmt::format(" (as soon as {} placed)",
                          counted(arrival.after_blocks, "block is", "blocks are"));
    }
  }
  return text;
}

const char* words_under_model(Fits::Verdict verdict) {
  switch (verdict) {
    case Fits::Verdict::always:
    case Fits::Verdict::under_model:
      return "safe";
    case Fits::Verdict::unsafe:
      return "strands blocks in some order";
    case Fits::Verdict::never:
      return "strands blocks in every order";
    case Fits::Verdict::undecided:
      break;
  }
  return "undecided";
}

/// What each of several models says, and what is known for and against it.
std::string models_text(const Fits& fits, const std::vector<Model>& models) {
  std::vector<std::vector<std::string>> rows;
  bool agree = true;
  for (std::size_t i = 0; i < fits.asked.size(); ++i) {
    const auto verdict = fits.asked[i].verdict;
    agree = agree && verdict == fits.asked.front().verdict;
    rows.push_back(
        {model_name(models[i].hypothesis), words_under_model(verdict), models[i].evidence});
  }
  return (agree ? "all of these models agree:\n" : "the models part:\n") + aligned(rows, 2);
}

std::string headline(const Fits& fits, const Device& device) {
  switch (fits.verdict) {
    case Fits::Verdict::always:
      return fmt::format("safe on {}, whatever the order and whatever the scheduler's choices\n",
                         device.name);
    case Fits::Verdict::under_model:
      return fmt::format("safe on {} under {}, whatever the order of launches\n", device.name,
                         fits.asked.size() == 1 ? "the model" : "each model");
    case Fits::Verdict::unsafe:
      return fmt::format("not safe on {}: an order of launches strands blocks\n", device.name);
    case Fits::Verdict::never:
      return fmt::format("never all resident on {}, in whatever order\n", device.name);
    case Fits::Verdict::undecided:
      break;
  }
  return "undecided\n";
}

std::string stranding_text(const Order& order, const Hypothesis& hypothesis,
                           const std::vector<Kernel>& kernels) {
  std::string text = fmt::format("launched in this order: {} (under {})\n",
                                 arrival_words(order, kernels), model_name(hypothesis));
  Probe probe{"", kernels, {}};
  for (const Wait& wait : order.waits) {
    std::string words = wait_words(wait, probe);
    for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos; ++at) {
      words.replace(at, 1, "\n    ");
    }
    const Kernel& kernel = kernels[wait.kernel];
    text += fmt::format("  {}: {} of {} run, {} for {}\n", kernel.name,
                        count_words(kernel.blocks - wait.blocks), counted(kernel.blocks, "block"),
                        wait.blocks == 1 ? "1 waits" : count_words(wait.blocks) + " wait", words);
  }
  return text;
}

}  // namespace

const char* verdict_name(Fits::Verdict verdict) {
  switch (verdict) {
    case Fits::Verdict::always:
      return "always";
    case Fits::Verdict::under_model:
      return "under_model";
    case Fits::Verdict::unsafe:
      return "unsafe";
    case Fits::Verdict::never:
      return "never";
    case Fits::Verdict::undecided:
      break;
  }
  return "undecided";
}

std::string change_words(const Change& change, const std::vector<Kernel>& kernels) {
  const auto& name = kernels[change.kernel].name;
  const auto less = [&](const char* of) {
    return fmt::format("{} {} of {} instead of {}", count_words(change.to), of, name,
                       count_words(change.from));
  };
  switch (change.of) {
    case Change::Of::blocks:
      return less(change.to == 1 ? "block" : "blocks");
    case Change::Of::threads:
      return less("threads in a block");
    case Change::Of::registers:
      return less("registers in a thread");
    case Change::Of::shared:
      return less("bytes of shared memory in a block");
    case Change::Of::packing:
      return fmt::format("{} packed: {} of {} of its {}", name,
                         counted(change.from / change.to, "block"), count_words(change.to),
                         count_words(change.from));
    case Change::Of::carve_out:
      return "the largest shared-memory carve-out preferred for every kernel "
             "(cudaFuncAttributePreferredSharedMemoryCarveout = 100)";
    case Change::Of::order:
      return fmt::format("{} launched only once all blocks of {} are resident",
                         kernels[change.later].name, name);
    case Change::Of::orders:
      break;
  }
  std::string text = "launched one by one, each once the one before is resident: ";
  for (std::size_t i = 0; i < change.sequence.size(); ++i) {
    text += (i > 0 ? ", " : "") + kernels[change.sequence[i]].name;
  }
  return text;
}

std::string fits_text(const Fits& fits, const std::vector<Change>& changes, const Device& device,
                      const std::vector<Model>& models,
                      const std::optional<SurvivorCount>& survivors,
                      const std::vector<Kernel>& kernels) {
  std::string text = headline(fits, device);
  text += fits.reason + '\n';
  if (fits.proof && fits.proof->holds()) {
    text +=
        fmt::format("proved by Z3 in {} (--smt2 FILE writes the query, whose answer is unsat)\n",
                    duration_words(fits.proof->answer.seconds));
  }
  if (fits.launches > 0) {
    text += fmt::format("{} predicted under {}\n",
                        counted(fits.launches, "launch was", "launches were"),
                        survivors                ? counted(survivors->behaviours, "behaviour")
                        : fits.asked.size() == 1 ? model_words(models.front())
                                                 : fmt::format("{} models", fits.asked.size()));
    if (fits.asked.size() > 1 && !survivors) text += '\n' + models_text(fits, models);
  }
  if (survivors) {
    text += fmt::format("{} left by the inference, {} of them known to be safe\n",
                        counted(survivors->all, "hypothesis is", "hypotheses are"),
                        count_words(survivors->safe));
  }
  if (fits.stranding) text += '\n' + stranding_text(*fits.stranding, fits.hypothesis, kernels);
  if (fits.verdict == Fits::Verdict::under_model && !fits.why_not_always.empty()) {
    text += "\nnot proved for every scheduler: " + fits.why_not_always + '\n';
  }
  if (!changes.empty()) {
    text += fmt::format("\nany one of these makes it safe under {}:\n",
                        survivors                ? "the hypotheses looked at"
                        : fits.asked.size() == 1 ? "the model"
                                                 : "each model");
    for (const Change& change : changes) text += "  " + change_words(change, kernels) + '\n';
  }
  return text;
}

}  // namespace cuvier
