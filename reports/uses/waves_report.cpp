#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/document/words.h"
#include "reports/uses/uses_report.h"

namespace cuvier {
namespace {

/// "18 %"
std::string filled(const Waves& waves) {
  return fmt::format("{} %", 100 * waves.in_last() / waves.at_once);
}

std::string verdict(const Waves& waves) {
  const std::string& name = waves.kernel.name;
  if (waves.count() == 0) return fmt::format("{}: no block finds a place", name);
  if (waves.count() == 1) {
    return fmt::format("{}: one wave, of {} of {} blocks ({} full)", name,
                       all_digits(waves.in_last()), all_digits(waves.at_once), filled(waves));
  }
  return fmt::format("{}: {} waves, the last of {} of {} blocks ({} full)", name,
                     all_digits(waves.count()), all_digits(waves.in_last()),
                     all_digits(waves.at_once), filled(waves));
}

std::vector<Text> row(const Waves& waves) {
  const Kernel& kernel = waves.kernel;
  return {
      all_digits(kernel.threads),
      kernel.cluster ? all_digits(*kernel.cluster) : "none",
      all_digits(kernel.blocks),
      all_digits(waves.at_once),
      all_digits(waves.count()),
      waves.count() == 0 ? "" : fmt::format("{} ({})", all_digits(waves.in_last()), filled(waves))};
}

Section section(const KernelWaves& waves) {
  Table table{"Waves",
              {"threads in a block", "blocks in a cluster", "blocks", "at once", "waves",
               "blocks of the last"},
              {row(waves.given)}};
  for (const Waves& fewer : waves.fewer) table.add(row(fewer));
  Section section{waves.given.kernel.name, {std::move(table)}};
  if (waves.fewer.empty() && waves.given.count() > 1) {
    section.say("No other size of blocks or clusters takes fewer waves.");
  }
  return section;
}

Json waves_of(const Waves& waves) {
  Json json = {{"threads", waves.kernel.threads}};
  if (waves.kernel.cluster) json["cluster"] = *waves.kernel.cluster;
  json.update({{"shared", waves.kernel.shared},
               {"blocks", waves.kernel.blocks},
               {"at_once", waves.at_once},
               {"waves", waves.count()},
               {"last_wave", waves.in_last()}});
  return json;
}

}  // namespace

Page waves_page(const std::vector<KernelWaves>& kernels, const Others& others, const Model& model) {
  Page page;
  page.about = fmt::format("Each alone on {}{}, under {}.", model.device.name,
                           others.none() ? "" : ", beside what is there", model_words(model));
  std::vector<std::string> verdicts;
  for (const KernelWaves& waves : kernels) {
    verdicts.push_back(verdict(waves.given));
    page.add(section(waves));
  }
  page.verdict = fmt::format("{}", fmt::join(verdicts, "\n"));
  Section note{"", {}};
  note.say(
      "The first row is the kernel as it is, the others take fewer waves: the same threads and "
      "bytes in all, otherwise cut. A wave is what finds a place at once; waves follow one another "
      "so where all blocks take equally long.");
  page.add(std::move(note));
  return page;
}

nlohmann::ordered_json waves_json(const std::vector<KernelWaves>& kernels, const Model& model) {
  Json json = answered_by(model);
  json["kernels"] = Json::object();
  for (const KernelWaves& waves : kernels) {
    Json& kernel = json["kernels"][waves.given.kernel.name];
    kernel = waves_of(waves.given);
    kernel["fewer"] = Json::array();
    for (const Waves& fewer : waves.fewer) kernel["fewer"].push_back(waves_of(fewer));
  }
  return json;
}

}  // namespace cuvier
