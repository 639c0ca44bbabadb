// What a build says of kernels that are to fit.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "probes/json_fields.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/uses/fits_words.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

/// "launched in this order: a, b: 60 of 128 blocks of b wait"
std::string stranding_words(const Order& order, const std::vector<Kernel>& kernels) {
  std::vector<std::string> waiting;
  for (const auto& [k, blocks] : order.stranded) {
    waiting.push_back(fmt::format("{} of {} of {} wait", count_words(blocks),
                                  counted(kernels[k].blocks, "block"), kernels[k].name));
  }
  return fmt::format("launched in this order: {}: {}", arrival_words(order, kernels),
                     fmt::join(waiting, ", "));
}

std::string fault(const Fits& fits, const KernelSet& set) {
  if (fits.verdict != Fits::Verdict::unsafe) return fits.reason;
  return stranding_words(*fits.stranding, set.kernels);
}

/// The line where the kernel that the fault is about is named first.
int line_of(const Fits& fits, const KernelSet& set, std::string_view text) {
  int kernel = -1;
  if (!fits.refused.empty()) {
    kernel = fits.refused.front();
  } else if (fits.stranding && !fits.stranding->stranded.empty()) {
    kernel = fits.stranding->stranded.begin()->first;
  }
  if (kernel < 0) return 1;
  const std::size_t at = text.find(json_text(set.kernels[kernel].name));
  if (at == std::string_view::npos) return 1;
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

Json text_json(const std::string& text) { return {{"text", text}}; }

}  // namespace

std::string fits_line(const Fits& fits, const Device& device, const KernelSet& set,
                      const std::string& path) {
  return fmt::format("{}: {} on {}: {}", path, verdict_name(fits.verdict), device.name,
                     fault(fits, set));
}

nlohmann::ordered_json fits_sarif(const Fits& fits, const std::vector<Change>& changes,
                                  const Device& device, const KernelSet& set,
                                  const std::string& path, std::string_view text) {
  struct Rule {
    Fits::Verdict verdict;
    const char* level;
    const char* meaning;
  };
  constexpr Rule rules[] = {
      {Fits::Verdict::unsafe, "error", "An order of launches leaves blocks without a place"},
      {Fits::Verdict::never, "error", "The kernels are never all resident at once"},
      {Fits::Verdict::undecided, "warning", "Whether all blocks get a place is not known"},
  };
  Json told = Json::array();
  Json results = Json::array();
  for (const auto& [verdict, level, meaning] : rules) {
    const std::string id = fmt::format("fits/{}", verdict_name(verdict));
    told.push_back({{"id", id}, {"shortDescription", text_json(meaning)}});
    if (verdict != fits.verdict) continue;
    std::string message = fmt::format("On {}: {}.", device.name, fault(fits, set));
    std::vector<std::string> mended;
    for (const Change& change : changes) mended.push_back(change_words(change, set.kernels));
    if (!mended.empty()) {
      message += fmt::format(" Any one of these makes it safe: {}.", fmt::join(mended, "; "));
    }
    results.push_back({{"ruleId", id},
                       {"level", level},
                       {"message", text_json(message)},
                       {"locations",
                        {{{"physicalLocation",
                           {{"artifactLocation", {{"uri", path}}},
                            {"region", {{"startLine", line_of(fits, set, text)}}}}}}}}});
  }
  return {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "cuvier"}, {"rules", told}}}}}, {"results", results}}}}};
}

}  // namespace cuvier
