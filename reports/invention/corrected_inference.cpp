#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "corpus/store.h"
#include "probes/device_corrections.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "probes/oracles/forwarded_oracle.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "reports/invention/invention_questions.h"
#include "solver/invention/exceptions.h"

namespace cuvier {
namespace {

/// "corrected-shared_configs2-65536"
std::string folder_for(const InferenceRun& run, const DeviceCorrection& correction) {
  std::string field = correction.field;
  std::erase_if(field, [](char c) { return c == '[' || c == ']'; });
  return (std::filesystem::path(run.folder) /
          fmt::format("corrected-{}-{}", field, correction.value))
      .string();
}

std::vector<Recording> recordings_of(const InferenceRun& run) {
  return read_recordings((std::filesystem::path(run.folder) / "journal.jsonl").string()).recordings;
}

/// The first correction that one of the mechanisms needs, told with how many there are.
std::optional<DeviceCorrection> correction_for(const Device& device,
                                               const std::vector<Hypothesis>& mechanisms,
                                               const std::vector<Session>& observed,
                                               const InventionMeans& means) {
  means.task.doing("inventing: which fact of the device could be another");
  for (const Hypothesis& mechanism : mechanisms) {
    const auto corrections = corrections_that_explain(device, observed, mechanism, means.task);
    if (corrections.empty()) continue;
    means.say(fmt::format(
        "\na wrong fact of the device could be the reason: {} explains everything if {}\n",
        describe(mechanism), words_of(corrections.front())));
    if (corrections.size() > 1) {
      means.say(fmt::format("{} would do as well; this is tried first\n",
                            counted(corrections.size() - 1, "other change of one fact",
                                    "other changes of one fact")));
    }
    return corrections.front();
  }
  return std::nullopt;
}

/// Those after the first so many.
void copy_answers(const std::vector<Recording>& answers, std::size_t first,
                  const std::string& prefix, Journal& journal) {
  for (std::size_t i = first; i < answers.size(); ++i) {
    Recording recording = answers[i];
    recording.probe.name = prefix + recording.name();
    journal.append(recording);
  }
}

}  // namespace

std::optional<CorrectedInference> infer_corrected(Oracle& oracle, InferenceRun& run,
                                                  const std::vector<Hypothesis>& mechanisms,
                                                  const std::vector<Session>& observed,
                                                  int sequences, const InventionMeans& means) {
  const auto correction = correction_for(oracle.device(), mechanisms, observed, means);
  if (!correction) return std::nullopt;
  CorrectedOracle other(oracle, corrected(oracle.device(), {*correction}));
  CorrectedInference result{words_of(*correction), folder_for(run, *correction), {}};
  const std::vector<Recording> before = recordings_of(run);
  for (const Recording& recording : before) {
    if (std::ranges::all_of(recording.probe.kernels, [&](const Kernel& kernel) {
          return is_legal(kernel, other.device());
        })) {
      continue;
    }
    means.say(
        fmt::format("{} has a kernel that could not be launched then: correct the facts of the "
                    "device, and infer anew\n",
                    recording.name()));
    return result;
  }
  InferenceRun within = run;
  within.folder = result.folder;
  within.resume = true;
  {
    Journal journal(within.folder, other.device(), other.description());
    copy_answers(before, journal.recorded().recordings.size(), "", journal);
  }
  const std::string device_file = (std::filesystem::path(within.folder) / "device.json").string();
  write_file(device_file, json_text(to_json(other.device()), 2) + '\n');
  const Finding& finding = *(result.finding = means.infer(other, within));
  result.holds = finding.verdict == Verdict::identified || finding.verdict == Verdict::ambiguous;
  if (result.holds && oracle.answers_anything() && other.begin_session()) {
    InventionQuestions questions(other, within, means);
    const auto answers = questions.at_random(*finding.mechanism, sequences, false);
    result.asked = answers.asked;
    result.holds = !answers.contradicted;
  }
  if (result.holds) {
    means.say(fmt::format("\ncorrect the facts of the device: {} (as in {})\n", result.words,
                          device_file));
  } else if (finding.verdict != Verdict::undecided) {
    const std::vector<Recording> after = recordings_of(within);
    Journal journal(run.folder, oracle.device(), oracle.description());
    copy_answers(after, before.size(), fmt::format("{}-", correction->value), journal);
    run.options.max_probes += static_cast<int>(after.size() - before.size());
  }
  return result;
}

}  // namespace cuvier
