#include "reports/uses/fits_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probes/named.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

constexpr const char* const largest_carve_out =
    "the largest shared-memory carve-out preferred for every kernel "
    "(cudaFuncAttributePreferredSharedMemoryCarveout = 100)";

}  // namespace

std::string_view verdict_name(Fits::Verdict verdict) {
  return named(verdict, {"always", "under_model", "unsafe", "never", "undecided"});
}

std::string change_words(const Change& change, const std::vector<Kernel>& kernels) {
  const auto& name = kernels[change.kernel].name;
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
    case Change::Of::orders: {
      std::vector<std::string> names;
      for (const int kernel : change.sequence) names.push_back(kernels[kernel].name);
      return fmt::format("launched one by one, each once the one before is resident: {}",
                         fmt::join(names, ", "));
    }
    default:
      break;
  }
  const bool is_one_block = change.of == Change::Of::blocks && change.to == 1;
  const auto fewer = named(change.of, {"blocks", "threads in a block", "registers in a thread",
                                       "bytes of shared memory in a block"});
  return fmt::format("{} {} of {} instead of {}{}", count_words(change.to),
                     is_one_block ? "block" : fewer, name, count_words(change.from),
                     change.with_carve_out ? std::string(", and ") + largest_carve_out : "");
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

}  // namespace cuvier
