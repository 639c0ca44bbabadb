#include "reports/uses/fits_words.h"

#include <fmt/format.h>

#include <array>

#include "probes/named.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

/// Of a change that lessens one number: its name, and what there are then fewer of.
struct Lessened {
  const char* name;
  const char* words;
};
constexpr std::array lessened = {
    Lessened{"blocks", "blocks"},
    Lessened{"threads", "threads in a block"},
    Lessened{"registers", "registers in a thread"},
    Lessened{"shared", "bytes of shared memory in a block"},
};

constexpr const char* const largest_carve_out =
    "the largest shared-memory carve-out preferred for every kernel "
    "(cudaFuncAttributePreferredSharedMemoryCarveout = 100)";

/// Null for any other.
const Lessened* lessened_by(const Change& change) {
  const auto of = static_cast<std::size_t>(change.of);
  return of < lessened.size() ? &lessened[of] : nullptr;
}

}  // namespace

std::string_view verdict_name(Fits::Verdict verdict) {
  return named(verdict, {"always", "under_model", "unsafe", "never", "undecided"});
}

std::string change_words(const Change& change, const std::vector<Kernel>& kernels) {
  const auto& name = kernels[change.kernel].name;
  if (const Lessened* const less = lessened_by(change)) {
    const bool is_one_block = change.of == Change::Of::blocks && change.to == 1;
    return fmt::format("{} {} of {} instead of {}{}", count_words(change.to),
                       is_one_block ? "block" : less->words, name, count_words(change.from),
                       change.with_carve_out ? std::string(", and ") + largest_carve_out : "");
  }
  switch (change.of) {
    case Change::Of::packing:
      return fmt::format("{} packed: {} of {} of its {}", name,
                         counted(change.from / change.to, "block"), count_words(change.to),
                         count_words(change.from));
    case Change::Of::carve_out:
      return largest_carve_out;
    case Change::Of::order:
      return fmt::format("{} launched only once all blocks of {} are resident",
                         kernels[change.later].name, name);
    default:
      break;
  }
  std::string text = "launched one by one, each once the one before is resident: ";
  for (std::size_t i = 0; i < change.sequence.size(); ++i) {
    text += (i > 0 ? ", " : "") + kernels[change.sequence[i]].name;
  }
  return text;
}

std::string arrival_words(const Order& order, const std::vector<Kernel>& kernels) {
  std::string text;
  for (const Arrival& arrival : order.arrivals) {
    if (!text.empty()) text += ", then ";
    text += kernels[arrival.kernel].name;
    if (arrival.ends) text += " ends";
    if (arrival.after_blocks != Arrival::settled) {
      text += fmt::format(" (as soon as {} placed)",
                          counted(arrival.after_blocks, "block is", "blocks are"));
    }
  }
  return text;
}

const char* lessened_name(const Change& change) {
  const Lessened* const less = lessened_by(change);
  return less == nullptr ? nullptr : less->name;
}

}  // namespace cuvier
