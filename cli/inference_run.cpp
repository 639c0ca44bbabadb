#include "cli/inference_run.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "cli/inputs.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "probes/an_error.h"
#include "reports/certificate/certificate.h"
#include "reports/document/words.h"
#include "reports/finding/finding_page.h"
#include "reports/inference/inference_folder.h"
#include "reports/invention/inventor.h"

namespace cuvier {
namespace {

/// Tells the user what an inference does: a line for each probe that tells something, and one for
/// all that told nothing between two of these.
class ToldSteps {
 public:
  ToldSteps(Terminal& terminal, SurvivingValues considered)
      : terminal_(terminal), surviving_(std::move(considered)) {}

  void add(const InferenceStep& step) {
    if (tells_something(step)) {
      end();
      terminal_.progress(step_line(step));
      const std::string narrowed = narrowed_words(surviving_, step.surviving);
      if (!narrowed.empty()) terminal_.progress("     " + narrowed);
    } else {
      ++silent_;
    }
    surviving_ = step.surviving;
  }

  void end() {
    if (silent_ > 0) {
      terminal_.progress(fmt::format("     {} more told nothing new", counted(silent_, "probe")));
    }
    silent_ = 0;
  }

 private:
  Terminal& terminal_;
  SurvivingValues surviving_;
  int silent_ = 0;
};

std::string first_words(const InferenceFolder& folder, const Oracle& oracle, std::uint64_t seed) {
  const Device& device = oracle.device();
  const Journal& journal = folder.journal();
  std::string text = fmt::format("asking {}: {}, {}; seed {}\n", oracle.description(), device.name,
                                 counted(device.sms, "SM"), seed);
  if (folder.answers() > 0) {
    text += fmt::format("going on from {} in {}\n", counted(folder.answers(), "answer"),
                        journal.path());
  }
  const std::string& source = journal.recorded().source;
  if (folder.answers() > 0 && source != oracle.description()) {
    text += fmt::format(
        "these were given by {}; unless the oracle is the same, name another folder\n", source);
  }
  if (journal.recovered_bytes() > 0) {
    text += fmt::format("{} was cut off in its last line: removed {}\n", journal.path(),
                        counted(journal.recovered_bytes(), "byte"));
  }
  return text;
}

/// What to do about an end that wrong answers could have led to; empty for any other.
std::string remedy(const Finding& finding, int repeat, const Oracle& oracle) {
  const bool nothing_left = finding.verdict == Verdict::refuted ||
                            (finding.verdict == Verdict::undecided && finding.count.remaining == 0);
  const bool is_defect = finding.nearest && finding.nearest->wrong.empty();
  if (!nothing_left || is_defect || repeat > 1 || !oracle.answers_anything()) return "";
  if (finding.begins_anew) {
    return "\nCursors, warp pointers and local memory must outlive a probe, until the next hello\n"
           "(docs/reference/oracle-protocol.md); cuvier oracle-check looks closer. If your device "
           "is like that,\n"
           "--repeat 2 and another --out give each probe a session of its own.\n";
  }
  return "\nEvery answer was taken as true. If some may be wrong (another program uses the GPU, "
         "say),\n--repeat 2 and another --out ask each probe several times.\n";
}

/// Writing down what an inference follows from: not once it is interrupted, and for a moment only
/// where its time is over.
Task last_work(Terminal& terminal, bool out_of_time) {
  const auto start = std::chrono::steady_clock::now();
  return Task([&terminal, out_of_time, start](const Doing& doing) -> std::string {
    if (interrupted()) return "it was interrupted";
    const bool took_long =
        std::chrono::steady_clock::now() - start > std::chrono::milliseconds(400);
    if (took_long && out_of_time) return "its time was over";
    terminal.status(doing);
    return "";
  });
}

}  // namespace

CLI::Option* InferenceArguments::declare(Options& declared) {
  CLI::Option* const asked = add_oracle(declared, oracle);
  declared.add("--out DIR", out, "The folder for what is found")->required();
  add_assumptions(declared, assumptions);
  declared.number("--max-probes N", options.max_probes, 1, 1'000'000,
                  "Ask at most so many probes, with those that the journal of --out has already");
  declared.seed(options.seed);
  declared.flag("--resume", resume, "Go on from the answers in DIR");
  declared.progress();
  return asked;
}

InferenceRun InferenceArguments::run(const Device& device) const {
  if (resume && !std::filesystem::exists(out)) {
    throw an_error(
        "{}: is not there: name the folder of an inference that is to go on, or "
        "leave out --resume to begin one",
        out);
  }
  return {out, read_assumptions(assumptions, device), options, resume};
}

Finding run_inference(Oracle& oracle, const InferenceRun& run, Terminal& terminal) {
  InferenceFolder folder(run.folder, oracle, run.assumptions);
  const std::string& journal = folder.journal().path();
  if (folder.answers() > 0 && !run.resume) {
    throw an_error(
        "{}: holds {} of an earlier inference: add --resume to go on from "
        "there, or name another folder",
        journal, counted(folder.answers(), "answer"));
  }
  terminal.print(first_words(folder, oracle, run.options.seed));
  end_on_interrupt();
  Finding finding;
  try {
    ToldSteps told(terminal, Decisions(run.assumptions).considered);
    const InferenceListener listener{
        [&](const InferenceStep& step) { told.add(step); },
        [&](const std::string& note) { terminal.print("     " + note + '\n'); }, terminal.task(),
        [&](const std::string& line) { terminal.progress("     " + line); }};
    finding = folder.infer(oracle, run.options, listener);
    told.end();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::oracle) throw;
    throw Error(fmt::format("{}; the answers so far are in {}: --resume goes on from there",
                            error.what(), journal),
                Error::Kind::oracle);
  }
  terminal.print('\n' + shown(finding_page(finding)) + remedy(finding, run.options.repeat, oracle) +
                 '\n');
  const double most_s = run.options.time_limit_s;
  std::string certificate =
      fmt::format("{} (cuvier verify {})", certificate_folder(run.folder), run.folder);
  try {
    folder.keep(finding, last_work(terminal, most_s > 0 && finding.seconds >= most_s));
  } catch (const Stopped& cut_short) {
    certificate = fmt::format("none, since {}: --resume writes it", cut_short.why);
  }
  terminal.print("model: {}\njournal: {}\ncertificate: {}\n", model_file(run.folder), journal,
                 certificate);
  return finding;
}

Finding run_invention(Oracle& oracle, const InferenceRun& run, Terminal& terminal) {
  return invent(oracle, run,
                {[&](Oracle& asked, const InferenceRun& within) {
                   return run_inference(asked, within, terminal);
                 },
                 [&](const std::string& lines) { terminal.print(lines); },
                 [&](const Page& page) { terminal.print(shown(page)); }, terminal.task()});
}

}  // namespace cuvier
