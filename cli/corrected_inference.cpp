#include "cli/corrected_inference.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/invention_questions.h"
#include "corpus/store.h"
#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "probes/oracles/corrected_oracle.h"
#include "reports/document/write_file.h"

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

RecordingSet recordings_of(const InferenceRun& run) {
  return read_recordings((std::filesystem::path(run.folder) / "journal.jsonl").string());
}

}  // namespace

CorrectedInference infer_corrected(Oracle& oracle, InferenceRun& run,
                                   const DeviceCorrection& correction, int sequences,
                                   Terminal& terminal) {
  CorrectedOracle other(oracle, corrected(oracle.device(), {correction}));
  InferenceRun within = run;
  within.folder = folder_for(run, correction);
  within.resume = true;
  const std::vector<Recording> before = recordings_of(run).recordings;
  {
    Journal journal(within.folder, other.device(), other.description());
    for (std::size_t i = journal.recorded().recordings.size(); i < before.size(); ++i) {
      journal.append(before[i]);
    }
  }
  write_file((std::filesystem::path(within.folder) / "device.json").string(),
             to_json(other.device()).dump(2) + '\n');
  CorrectedInference result{within.folder, run_inference(other, within, terminal)};
  const Finding& finding = result.finding;
  result.holds = finding.verdict == Verdict::identified || finding.verdict == Verdict::ambiguous;
  if (result.holds && oracle.answers_anything() && other.begin_session()) {
    InventionQuestions questions(other, within, terminal);
    const auto answers =
        questions.at_random(*finding.mechanism, sequences, describe(*finding.mechanism), false);
    result.asked = answers.asked;
    result.holds = !answers.contradicted;
  }
  if (result.holds || finding.verdict == Verdict::undecided) return result;
  Journal journal(run.folder, oracle.device(), oracle.description());
  const std::vector<Recording> after = recordings_of(within).recordings;
  for (std::size_t i = before.size(); i < after.size(); ++i) {
    Recording recording = after[i];
    recording.probe.name = fmt::format("{}-{}", correction.value, recording.name());
    journal.append(recording);
  }
  run.options.max_probes += static_cast<int>(after.size() - before.size());
  return result;
}

}  // namespace cuvier
