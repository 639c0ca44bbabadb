#include "solver/check/check.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/number_argument.h"
#include "cli/progress.h"
#include "cli/recordings_argument.h"
#include "cli/shown.h"
#include "cli/terminal.h"
#include "reports/certificate/certificate.h"
#include "reports/document/words.h"
#include "reports/finding/check_json.h"
#include "reports/finding/finding_page.h"
#include "solver/grounds/exclusions.h"
#include "solver/space/sessions.h"

namespace cuvier {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> assumptions;
  std::string model;
  double time_limit_s = 0;
  std::string smt2;
  bool json = false;
};

/// The one hypothesis that is asked about, if it is one that can predict.
std::optional<Hypothesis> single_hypothesis(const Arguments& arguments,
                                            const Assumptions& assumptions, const Device& device) {
  if (!arguments.model.empty()) return read_hypothesis(arguments.model, device);
  const auto single = assumptions.single();
  if (single && single->get<TieBreak>() == TieBreak::learned) return std::nullopt;
  return single;
}

/// Writes why nobody has the values that no survivor has.
void write_exclusions(const Arguments& arguments, const std::vector<RecordingSet>& sets,
                      const Assumptions& assumptions, const Finding& finding, Terminal& terminal) {
  RecordingSet all{"", finding.device, {}};
  for (const Session& session : sessions_of(sets)) {
    for (const Recording& recording : session) {
      all.recordings.push_back(recording);
      all.recordings.back().fresh = &recording == &session.front();
    }
  }
  const Exclusions exclusions = exclusions_of(
      all, assumptions, finding.surviving, [&](const std::string& what) { terminal.status(what); });
  write_lemmas(arguments.smt2, certificate_files({}, exclusions));
  terminal.print(
      fmt::format("{} in {}\n", counted(exclusions.lemmas.size(), "lemma"), arguments.smt2));
}

int check_recordings(const Arguments& arguments) {
  const std::vector<RecordingSet> sets = read_sets(arguments.files);
  Assumptions assumptions = Assumptions::all(sets.front().device);
  for (const std::string& text : arguments.assumptions) assumptions.restrict_by(text);
  Terminal terminal;
  const auto progress = limited_progress(terminal, arguments.time_limit_s);
  const auto single = single_hypothesis(arguments, assumptions, sets.front().device);
  Finding finding = single ? check(sets, *single, progress) : check(sets, assumptions, progress);
  finding.oracle = fmt::format("{}", fmt::join(arguments.files, ", "));
  if (single && !arguments.smt2.empty()) {
    throw Error(
        "--smt2: says why nobody has an excluded value, and one hypothesis excludes none: "
        "leave it out, or assume less");
  }
  terminal.print(arguments.json ? check_json(finding).dump(2) + '\n'
                                : shown(finding_page(finding)));
  if (!arguments.smt2.empty() && finding.verdict != Verdict::undecided) {
    write_exclusions(arguments, sets, assumptions, finding, terminal);
  }
  return exit_code(finding.verdict);
}

}  // namespace

Run declare_check(CLI::App& app) {
  app.footer(fmt::format(
      "Says which values of each axis survive the recordings. With a model, or assumptions that\n"
      "leave one hypothesis, says which facts it gets wrong: predicted against seen.\n"
      "Ctrl-C and --time-limit end it with what is known so far (exit code 10, or 11).\n"
      "\n"
      "--model is {}\n"
      "\n"
      "Examples:\n"
      "  cuvier check mine.jsonl\n"
      "  cuvier check monday.jsonl tuesday.jsonl --assume queue=fifo --assume selection=most_room\n"
      "  cuvier check mine.jsonl --assume algorithm-1\n"
      "  cuvier check mine.jsonl --model findings/other/model.json --json\n"
      "\n"
      "Exit codes:\n"
      "   0  identified: one behaviour is left, or the model explains everything\n"
      "  10  ambiguous: several are left\n"
      "  11  refuted: no hypothesis explains the recordings, or the model does not\n"
      "  12  undecided: a recording can be explained in too many ways to follow them\n"
      "   2  bad usage or input, or output that cannot be written",
      hypothesis_meaning));
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("FILE.jsonl", arguments->files, "Recordings of one device")
      ->required()
      ->type_name("");
  CLI::Option* const model = app.add_option("--model", arguments->model, "Consider only this one")
                                 ->type_name("HYPOTHESIS");
  app.add_option("--assume", arguments->assumptions,
                 "Consider only these values of an axis, or only a hypothesis that `cuvier axes` "
                 "names; may be repeated")
      ->type_name("AXIS=VALUE[,VALUE...]")
      ->allow_extra_args(false)
      ->excludes(model);
  app.add_option("--time-limit", arguments->time_limit_s,
                 "End after about so many seconds, with what is known by then")
      ->type_name("S")
      ->check(seconds_number());
  app.add_option("--smt2", arguments->smt2,
                 "Write lemmas to this folder: of each excluded value that nobody who has it "
                 "explains everything")
      ->type_name("DIR")
      ->excludes(model);
  app.add_flag("--json", arguments->json, "Print the finding for programs, every fact listed");
  return [arguments] { return check_recordings(*arguments); };
}

}  // namespace cuvier
