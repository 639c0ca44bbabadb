#include "reports/inference/inference_folder.h"

#include <filesystem>
#include <utility>

#include "probes/an_error.h"
#include "reports/certificate/certificate.h"
#include "reports/document/write_file.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/model_json.h"
#include "solver/cancellation/task.h"
#include "solver/infer/map_questions.h"
#include "solver/justification/exclusions.h"

namespace cuvier {
namespace {

/// What `verify` works out again, from the recordings alone.
CertificateFiles certificate_of(const Finding& finding, const Assumptions& assumptions,
                                const Task& task) {
  std::vector<Proof> proofs;
  if (finding.proof) proofs.push_back(*finding.proof);
  // Otherwise it was given up to find out whether anybody is left.
  const bool is_known = finding.mechanism || finding.verdict == Verdict::refuted;
  if (!is_known) return certificate_files(proofs, {});
  return certificate_files(proofs,
                           exclusions_of(finding.counted, assumptions, finding.surviving, task));
}

/// The same path, where no model lies that is not ours to replace.
std::string expect_no_foreign_model(std::string path) {
  namespace fs = std::filesystem;
  if (fs::exists(model_file(path)) && !fs::exists(recordings_file(path))) {
    throw an_error("{}: lies there without the {} that it follows from; name another folder",
                   model_file(path), recordings_file(path));
  }
  return path;
}

}  // namespace

void expect_same_simulator(const std::string& journal, const std::string& source,
                           const std::string& oracle) {
  if (source == oracle || !source.starts_with("sim:") || !oracle.starts_with("sim:")) return;
  throw an_error("{}: holds answers of {}, not of {}; ask that, or name another folder", journal,
                 source, oracle);
}

InferenceFolder::InferenceFolder(std::string path, const Oracle& oracle, Assumptions assumptions)
    : path_(expect_no_foreign_model(std::move(path))),
      assumptions_(std::move(assumptions)),
      journal_(path_, oracle.device(), oracle.description()),
      decisions_(assumptions_) {
  expect_same_simulator(journal_.path(), journal_.recorded().source, oracle.description());
}

Finding InferenceFolder::infer(Oracle& oracle, const InferenceOptions& options,
                               InferenceListener listener) {
  const auto tell = listener.step;
  listener.step = [&](const InferenceStep& step) {
    decisions_.add(step);
    if (tell) tell(step);
  };
  Finding finding = cuvier::infer(oracle, journal_, assumptions_, options, listener);
  ask_about_maps(oracle, path_, finding, listener.task);
  return finding;
}

void InferenceFolder::keep(const Finding& finding, const Task& task) {
  std::filesystem::remove_all(certificate_folder(path_));  // of less than is in the journal now
  write_model(finding, model_file(path_));
  const std::string decisions = (std::filesystem::path(path_) / "decisions.json").string();
  try {  // an earlier process knew why it asked what is in the journal now
    decisions_.know_from(read_decisions(decisions));
  } catch (const Error&) {  // there was none, or it was cut short: nothing rests on it
  }
  decisions_.nearest.clear();
  if (finding.nearest) {
    for (const Text& words : near_miss_words(*finding.nearest)) {
      decisions_.nearest.push_back(plain(words));
    }
  }
  write_json(decisions, to_json(decisions_), 1);
  write_certificate(path_, certificate_of(finding, assumptions_, task));
}

}  // namespace cuvier
