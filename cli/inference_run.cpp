#include "cli/inference_run.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "cli/shown.h"
#include "corpus/store.h"
#include "probes/error.h"
#include "reports/certificate/certificate.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/model_json.h"
#include "reports/inference/decisions.h"
#include "solver/cancellation/gave_up.h"
#include "solver/cancellation/task.h"
#include "solver/justification/evidence_left.h"
#include "solver/justification/exclusions.h"

namespace cuvier {
namespace {

/// Tells the user what an inference does.
class Progress {
 public:
  Progress(Terminal& terminal, Decisions& decisions) : terminal_(terminal), decisions_(decisions) {}

  InferenceListener listener() {
    return {
        [this](const InferenceStep& step) { stepped(step); },
        [this](const std::string& note) { terminal_.print("     " + note + '\n'); },
        terminal_.task(),
    };
  }

 private:
  void stepped(const InferenceStep& step) {
    if (step.confirms) {
      decisions_.add(step);
      return terminal_.status(fmt::format("{}: still one behaviour", step.probe->name));
    }
    terminal_.print(step_line(step) + '\n');
    const std::string narrowed = narrowed_words(decisions_.surviving(), step.surviving);
    decisions_.add(step);
    if (!narrowed.empty()) terminal_.print("     " + narrowed + '\n');
  }

  Terminal& terminal_;
  Decisions& decisions_;
};

std::unique_ptr<Journal> open_journal(const InferenceRun& run, const Oracle& oracle) {
  auto journal = std::make_unique<Journal>(run.folder, oracle.device(), oracle.description());
  const auto answers = journal->recorded().recordings.size();
  if (answers > 0 && !run.resume) {
    throw Error(
        fmt::format("{}: holds {} of an earlier inference: add --resume to go on from "
                    "there, or name another folder",
                    journal->path(), counted(answers, "answer")));
  }
  return journal;
}

std::string opening(const InferenceRun& run, const Oracle& oracle, const Journal& journal) {
  const Device& device = oracle.device();
  std::string text = fmt::format("asking {}: {}, {}; seed {}\n", oracle.description(), device.name,
                                 counted(device.sms, "SM"), run.options.seed);
  const auto answers = journal.recorded().recordings.size();
  if (answers > 0) {
    text += fmt::format("going on from {} in {}\n", counted(answers, "answer"), journal.path());
  }
  const std::string& source = journal.recorded().source;
  if (answers > 0 && source != oracle.description()) {
    text += fmt::format(
        "these were given by {}; unless the oracle is the same, name another folder\n", source);
  }
  if (journal.recovered_bytes() > 0) {
    text += fmt::format("{} was cut off in its last line: removed {}\n", journal.path(),
                        counted(journal.recovered_bytes(), "byte"));
  }
  return text;
}

Finding infer_with_progress(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
                            const InferenceOptions& options, Terminal& terminal,
                            Decisions& decisions) {
  Progress progress(terminal, decisions);
  try {
    return infer(oracle, journal, assumptions, options, progress.listener());
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::oracle) throw;
    throw Error(fmt::format("{}; the answers so far are in {}: --resume goes on from there",
                            error.what(), journal.path()),
                Error::Kind::oracle);
  }
}

/// What to do about an end that wrong answers could have led to; empty for any other.
std::string remedy(const Finding& finding, const InferenceRun& run, const Oracle& oracle) {
  if (finding.verdict != Verdict::refuted || run.options.repeat > 1 || !oracle.answers_anything()) {
    return "";
  }
  if (finding.begins_anew) {
    return "\nCursors, warp pointers and local memory must outlive a probe, until the next hello\n"
           "(docs/oracle-protocol.md); cuvier oracle-check looks closer. If your device is like "
           "that,\n"
           "--repeat 2 and another --out give each probe a session of its own.\n";
  }
  return "\nEvery answer was taken as true. If some may be wrong (another program uses the GPU, "
         "say),\n--repeat 2 and another --out ask each probe several times.\n";
}

/// What `verify` works out again. Once it is to end, that may take no more than a second.
CertificateFiles certificate_of(const Finding& finding, const Assumptions& assumptions,
                                const Journal& journal, bool out_of_time, Terminal& terminal) {
  const auto start = std::chrono::steady_clock::now();
  const Task task([&](const std::string& what) -> std::string {
    const bool took_long = std::chrono::steady_clock::now() - start > std::chrono::seconds(1);
    if (took_long && (out_of_time || interrupted())) return "it was to end";
    terminal.status(what);
    return "";
  });
  std::vector<Proof> proofs;
  if (finding.proof) proofs.push_back(*finding.proof);
  try {
    const EvidenceLeft left =
        evidence_left(read_recordings(journal.path()), assumptions, finding.voted, task);
    return certificate_files(
        proofs, exclusions_of(left.counted, assumptions, left.space.surviving(), task));
  } catch (const GaveUp&) {
    return certificate_files(proofs, {});
  }
}

/// An earlier process knew why it asked what is in the journal now.
void write_decisions(const std::string& path, Decisions decisions) {
  if (std::filesystem::exists(path)) decisions.know_from(read_decisions(path));
  write_file(path, to_json(decisions).dump(1) + '\n');
}

}  // namespace

Finding run_inference(Oracle& oracle, const InferenceRun& run, Terminal& terminal) {
  const auto journal = open_journal(run, oracle);
  terminal.print(opening(run, oracle, *journal));
  end_on_interrupt();
  Decisions decisions(run.assumptions);
  Finding finding =
      infer_with_progress(oracle, *journal, run.assumptions, run.options, terminal, decisions);
  terminal.print('\n' + shown(finding_page(finding)) + remedy(finding, run, oracle) + '\n');
  const std::filesystem::path folder(run.folder);
  const std::string model = (folder / "model.json").string();
  write_model(finding, model);
  std::string certificate = certificate_folder(run.folder);
  const double most_s = run.options.time_limit_s;
  try {
    write_certificate(run.folder,
                      certificate_of(finding, run.assumptions, *journal,
                                     most_s > 0 && finding.seconds >= most_s, terminal));
    certificate += fmt::format(" (cuvier verify {})", run.folder);
  } catch (const Stopped& cut_short) {
    std::filesystem::remove_all(certificate);  // of less than is in the journal now
    certificate = fmt::format("none, since {}: --resume writes it", cut_short.why);
  }
  write_decisions((folder / "decisions.json").string(), std::move(decisions));
  terminal.print(fmt::format("model: {}\njournal: {}\ncertificate: {}\n", model, journal->path(),
                             certificate));
  return finding;
}

}  // namespace cuvier
