#include "solver/check/check.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "reports/finding/finding_page.h"
#include "reports/finding/model_json.h"

namespace cuvier {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::vector<std::string> assumptions;
  std::string model;
  double time_limit_s = 0;
  bool json = false;
};

/// The one hypothesis that is asked about, if it is one that can predict.
std::optional<Hypothesis> single_hypothesis(const CheckArguments& arguments,
                                            const Assumptions& assumptions, const Device& device) {
  if (!arguments.model.empty()) {
    tell_of_another_gpu(arguments.model, device);
    return read_hypothesis(arguments.model, device);
  }
  const auto single = assumptions.single();
  if (single && single->get<TieBreak>() == TieBreak::learned) return std::nullopt;
  return single;
}

int check_recordings(const CheckArguments& arguments, Terminal& terminal) {
  const std::vector<RecordingSet> sets = read_sets(arguments.files);
  const Device& device = sets.front().device;
  const Assumptions assumptions = read_assumptions(arguments.assumptions, device);
  const Task task = terminal.task(arguments.time_limit_s);
  const auto single = single_hypothesis(arguments, assumptions, device);
  Finding finding = single ? check(sets, *single, task) : check(sets, assumptions, task);
  finding.oracle = fmt::format("{}", fmt::join(arguments.files, ", "));
  terminal.tell(arguments.json, check_json(finding), finding_page(finding), 2);
  return exit_code(finding.verdict);
}

void declare_check(Options& options, CheckArguments& arguments) {
  add_recordings(options, arguments.files);
  CLI::Option* const model =
      options.add("--model HYPOTHESIS", arguments.model, "Consider only this one");
  add_assumptions(options, arguments.assumptions)->excludes(model);
  options.time_limit(arguments.time_limit_s);
  options.json(arguments.json, "Print the finding for programs, every fact listed");
  options.progress();
}

}  // namespace

Command check_command() {
  return {
      "check",
      "Which hypotheses explain these recordings?",
      R"(Says which values of each axis survive the recordings. With a model, or assumptions that
leave one hypothesis, says which facts it gets wrong: predicted against seen.
Ctrl-C and --time-limit end it with what is known so far (exit code 10, or 11).)",
      R"(  cuvier check mine.jsonl
  cuvier check monday.jsonl tuesday.jsonl --assume queue=fifo --assume selection=most_room
  cuvier check mine.jsonl --assume algorithm-1
  cuvier check mine.jsonl --model findings/other/model.json --json)",
      {{exit_done, "identified: one behaviour is left, or the model explains everything"},
       {exit_ambiguous, "ambiguous: several are left"},
       {exit_refuted, "refuted: no hypothesis explains the recordings, or the model does not"},
       {exit_undecided, "undecided: a recording can be explained in too many ways to follow them"}},
      with(declare_check, check_recordings)};
}

}  // namespace cuvier
