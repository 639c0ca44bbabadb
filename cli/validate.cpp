#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/oracle_argument.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "reports/document/json_text.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "reports/port/port_report.h"
#include "solver/check/validation.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct ValidateArguments {
  std::string model;
  OracleArgument oracle;
  std::string out;
  ValidationOptions options;
  bool json = false;
};

Validation validate_with_progress(Oracle& oracle, Journal& journal, const Hypothesis& model,
                                  const ValidateArguments& arguments, Terminal& terminal) {
  ValidationOptions options = arguments.options;
  options.task = terminal.task();
  try {
    return validate_model(oracle, journal, model, options);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::oracle) throw;
    throw Error(fmt::format("{}; the answers so far are in {}: cuvier check {} --model tells what "
                            "a model gets wrong of them",
                            error.what(), journal.path(), journal.path()),
                Error::Kind::oracle);
  }
}

int validate(const ValidateArguments& arguments, Terminal& terminal) {
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  const Hypothesis model = read_hypothesis(arguments.model, oracle->device());
  tell_of_another_gpu(arguments.model, oracle->device());
  if (!oracle->answers_anything()) {
    throw an_error(
        "{}: answers what was recorded and no random sequences; cuvier check "
        "FILE --model MODEL tells what a model gets wrong of recordings",
        oracle->description());
  }
  const std::string folder = arguments.out.empty()
                                 ? new_temporary_folder("validation", "name one with --out")
                                 : arguments.out;
  const auto journal = new_journal(folder, *oracle);
  const Validation validation =
      validate_with_progress(*oracle, *journal, model, arguments, terminal);
  const Page page = validation_page(validation);
  const std::string report =
      json_text(report_file("validation", validation_json(validation), page), 2) + '\n';
  write_file((fs::path(folder) / "validation.json").string(), report);
  terminal.print(arguments.json ? report
                                : shown(page) + fmt::format("\nanswers: {}\n", journal->path()));
  if (validation.smallest) {
    const std::string path = (fs::path(folder) / "smallest.json").string();
    write_json(path, to_json(validation.smallest->minimised.probe), 2);
    if (!arguments.json) terminal.print("smallest: {}\n", path);
  }
  if (validation.failure) std::rethrow_exception(validation.failure);
  if (!validation.contradictions.empty()) return exit_refuted;
  return validation.asked() < validation.wanted ? exit_ambiguous : exit_done;
}

void declare_validate(Options& options, ValidateArguments& arguments) {
  options.add("--model MODEL", arguments.model, "The model that predicts, see below")->required();
  add_oracle(options, arguments.oracle)->required();
  add_oracles(options, arguments.oracle);
  options.sequences(arguments.options.sequences, "How many sequences are to be answered");
  options.flag("--minimize", arguments.options.minimise, "Make the first contradiction small");
  options.add("--out DIR", arguments.out,
              "The folder for the answers; a new one among the temporary files if not named");
  options.seed(arguments.options.seed);
  options.json(arguments.json, "Print it for programs, every contradiction listed");
  options.progress();
}

}  // namespace

Command validate_command() {
  return {
      "validate",
      "How a model's predictions hold on random sequences",
      R"(Draws random sequences of kernels and releases, every other one as the paper does and the
rest from cuvier's own families (streams, priorities, carve-outs, ...), predicts each by
the model, asks the oracle, and compares all that it shows. Says on what part of such
sequences the model may still be wrong: none wrong of 1,000 leaves at most 0.3 %.
Every answer is written to DIR/journal.jsonl as it comes, which `cuvier check` reads, and
in the end all that is told here to DIR/validation.json, for `cuvier report DIR`.
With --minimize the oracle is asked on for the smallest sequence that contradicts the
model (DIR/smallest.json). What earlier sequences had to do with a contradiction tells
  cuvier minimize DIR/journal.jsonl --refutes MODEL)",
      R"(  cuvier validate --model findings/mine/model.json --oracle gpu -n 10000
  cuvier validate --model algorithm-1 --oracle sim:a100,queue=skip_ahead --minimize)",
      {{exit_done, "all as predicted"},
       {exit_ambiguous, "so far the model is not contradicted, but Ctrl-C ended it early"},
       {exit_refuted, "the model is contradicted"}},
      with(declare_validate, validate)};
}

}  // namespace cuvier
