#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/number_argument.h"
#include "cli/oracle_argument.h"
#include "cli/terminal.h"
#include "reports/certificate.h"
#include "reports/decision_tree.h"
#include "reports/model_json.h"
#include "reports/text.h"
#include "reports/words.h"
#include "reports/write_file.h"
#include "solver/ending/gave_up.h"
#include "solver/grounds/evidence_left.h"
#include "solver/grounds/exclusions.h"
#include "solver/infer/inference.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string oracle;
  std::string out;
  std::vector<std::string> assumptions;
  InferenceOptions options;
  bool resume = false;
};

/// Tells the user what an inference does.
class Progress {
 public:
  Progress(Terminal& terminal, const Assumptions& assumptions, DecisionTree& decisions)
      : terminal_(terminal), decisions_(decisions) {
    for (int axis = 0; axis < kAxes; ++axis) {
      for (int value = 0; value < axis_size(axis); ++value) {
        if (assumptions.allows(axis, value)) surviving_[axis].push_back(value);
      }
    }
  }

  InferenceListener listener() {
    return {
        [this](const InferenceStep& step) { stepped(step); },
        [this](const std::string& note) { terminal_.print("     " + note + '\n'); },
        [this](const std::string& doing) { terminal_.status(doing); },
        interrupted,
    };
  }

 private:
  void stepped(const InferenceStep& step) {
    terminal_.print(step_line(step) + '\n');
    const std::string narrowed = narrowed_words(surviving_, step.surviving);
    decisions_.add(step, narrowed);
    if (!narrowed.empty()) terminal_.print("     " + narrowed + '\n');
    surviving_ = step.surviving;
  }

  Terminal& terminal_;
  DecisionTree& decisions_;
  SurvivingValues surviving_;
};

std::unique_ptr<Journal> open_journal(const Arguments& arguments, const Oracle& oracle) {
  auto journal = std::make_unique<Journal>(arguments.out, oracle.device(), oracle.description());
  const auto answers = journal->recorded().recordings.size();
  if (answers > 0 && !arguments.resume) {
    throw Error(
        fmt::format("{}: holds {} of an earlier inference: add --resume to go on from "
                    "there, or name another folder",
                    journal->path(), counted(static_cast<double>(answers), "answer")));
  }
  return journal;
}

std::string opening(const Arguments& arguments, const Oracle& oracle, const Journal& journal) {
  const Device& device = oracle.device();
  std::string text = fmt::format("asking {}: {}, {}; seed {}\n", oracle.description(), device.name,
                                 counted(device.sms, "SM"), arguments.options.seed);
  const auto answers = journal.recorded().recordings.size();
  if (answers > 0) {
    text += fmt::format("going on from {} in {}\n", counted(static_cast<double>(answers), "answer"),
                        journal.path());
  }
  const std::string& source = journal.recorded().source;
  if (answers > 0 && source != oracle.description()) {
    text += fmt::format(
        "these were given by {}; unless the oracle is the same, name another folder\n", source);
  }
  if (journal.recovered_bytes() > 0) {
    text += fmt::format("{} was cut off in its last line: removed {}\n", journal.path(),
                        counted(static_cast<double>(journal.recovered_bytes()), "byte"));
  }
  return text;
}

Finding infer_with_progress(Oracle& oracle, Journal& journal, const Assumptions& assumptions,
                            const InferenceOptions& options, Terminal& terminal,
                            DecisionTree& decisions) {
  Progress progress(terminal, assumptions, decisions);
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
std::string remedy(const Finding& finding, const Arguments& arguments, const Oracle& oracle) {
  if (finding.verdict != Verdict::refuted || arguments.options.repeat > 1 ||
      !oracle.answers_anything()) {
    return "";
  }
  return "\nEvery answer was taken as true. If some may be wrong (another program uses the GPU, "
         "say),\n--repeat 2 and another --out ask each probe several times.\n";
}

/// What `verify` works out again.
CertificateFiles certificate_of(const Finding& finding, const Assumptions& assumptions,
                                const Journal& journal, Terminal& terminal) {
  const auto doing = [&](const std::string& what) { terminal.status(what); };
  std::vector<Proof> proofs;
  if (finding.proof) proofs.push_back(*finding.proof);
  try {
    const EvidenceLeft left =
        evidence_left(read_recordings(journal.path()), assumptions, finding.voted, doing);
    return certificate_files(
        proofs, exclusions_of(left.counted, assumptions, left.space.surviving(), doing));
  } catch (const GaveUp&) {
    return certificate_files(proofs, {});
  }
}

int run_inference(const Arguments& arguments) {
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  Assumptions assumptions = Assumptions::all(oracle->device());
  for (const std::string& text : arguments.assumptions) assumptions.restrict_by(text);
  const auto journal = open_journal(arguments, *oracle);

  Terminal terminal;
  terminal.print(opening(arguments, *oracle, *journal));
  end_on_interrupt();
  DecisionTree decisions;
  const Finding finding =
      infer_with_progress(*oracle, *journal, assumptions, arguments.options, terminal, decisions);
  terminal.print('\n' + finding_text(finding) + remedy(finding, arguments, *oracle) + '\n');
  const std::filesystem::path folder(arguments.out);
  const std::string model = (folder / "model.json").string();
  write_model(finding, model);
  write_certificate(arguments.out, certificate_of(finding, assumptions, *journal, terminal));
  write_file((folder / "decisions.dot").string(), decisions.text(finding));
  terminal.print(fmt::format("model: {}\njournal: {}\ncertificate: {} (cuvier verify {})\n", model,
                             journal->path(), certificate_folder(arguments.out), arguments.out));
  return exit_code(finding.verdict);
}

}  // namespace

Run declare_infer(CLI::App& app) {
  app.footer(
      oracle_help() +
      "\n\n"
      "Each line of progress is a probe that was asked: how many bits it told (each halves the\n"
      "number of hypotheses), how many hypotheses are left, and which kind of probe it was.\n"
      "\n"
      "DIR gets journal.jsonl, every answer as it comes; model.json, what was found;\n"
      "certificate/, what `cuvier verify` needs to check it again; and decisions.dot, how it came\n"
      "about, for Graphviz.\n"
      "Killed at any moment, an inference goes on with --resume.\n"
      "\n"
      "--repeat is for oracles whose answers may be wrong. Each run is then a session of its own\n"
      "(a GPU's runner is started anew: a second or so for each), and an answer counts once it\n"
      "is three ahead of every other. Where answers to different probes contradict each other,\n"
      "these are asked again, up to 500 times; after that as few probes as possible are set\n"
      "aside. model.json has what does not count, and why; the journal has every answer.\n"
      "A recording cannot be asked again: each answer that it holds counts.\n"
      "\n"
      "Examples:\n"
      "  cuvier infer --oracle sim:rtx3090 --out findings/first\n"
      "  cuvier infer --oracle sim:h200,selection=round_robin --out findings/planted\n"
      "  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --time-limit 600\n"
      "  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --resume\n"
      "\n"
      "Exit codes:\n"
      "   0  identified: one behaviour is left\n"
      "  10  ambiguous: several are left, and --max-probes, --time-limit or the recordings are\n"
      "      exhausted, or Ctrl-C ended it\n"
      "  11  refuted: no hypothesis explains the answers\n"
      "  12  undecided: a solver gave up\n"
      "   2  bad usage or input, or output that cannot be written\n"
      "   3  the oracle failed");
  const auto arguments = std::make_shared<Arguments>();
  InferenceOptions& options = arguments->options;
  constexpr int most_probes = 1'000'000;
  constexpr int most_runs = 1'000;
  app.add_option("--oracle", arguments->oracle, "Who is asked, see below")
      ->required()
      ->type_name("ORACLE");
  app.add_option("--out", arguments->out, "The folder for what is found")
      ->required()
      ->type_name("DIR");
  app.add_option("--assume", arguments->assumptions,
                 "Consider only these values of an axis, or only a hypothesis that `cuvier axes` "
                 "names; may be repeated")
      ->type_name("AXIS=VALUE[,VALUE...]")
      ->allow_extra_args(false);
  app.add_option("--max-probes", options.max_probes, "Ask at most so many probes")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(1, most_probes));
  app.add_option("--time-limit", options.time_limit_s, "End after so many seconds")
      ->type_name("S")
      ->check(seconds_number());
  app.add_option("--repeat", options.repeat,
                 "Answers may be wrong: run each probe at least so often, see below")
      ->type_name("R")
      ->capture_default_str()
      ->check(whole_number(1, most_runs));
  app.add_option("--seed", options.seed, "Of every random choice")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_flag("--resume", arguments->resume, "Go on from the answers in DIR");
  return [arguments] { return run_inference(*arguments); };
}

}  // namespace cuvier
