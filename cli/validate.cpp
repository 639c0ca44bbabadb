#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/hypothesis_argument.h"
#include "cli/interrupt.h"
#include "cli/number_argument.h"
#include "cli/oracle_argument.h"
#include "cli/shown.h"
#include "cli/temporary_folder.h"
#include "cli/terminal.h"
#include "reports/document/report_file.h"
#include "reports/document/write_file.h"
#include "reports/port/validation_report.h"
#include "solver/check/validation.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string model;
  OracleArgument oracle;
  std::string out;
  ValidationOptions options;
  bool json = false;
};

std::unique_ptr<Journal> open_journal(const std::string& folder, const Oracle& oracle) {
  auto journal = std::make_unique<Journal>(folder, oracle.device(), oracle.description());
  if (!journal->recorded().recordings.empty()) {
    throw Error(journal->path() + ": holds earlier answers already; name another folder");
  }
  return journal;
}

Validation validate_with_progress(Oracle& oracle, Journal& journal, const Hypothesis& model,
                                  const Arguments& arguments, Terminal& terminal) {
  ValidationOptions options = arguments.options;
  options.doing = [&](const std::string& doing) { terminal.status(doing); };
  options.interrupted = interrupted;
  end_on_interrupt();
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

int validate(const Arguments& arguments) {
  const auto oracle = open_oracle(arguments.oracle, arguments.options.seed);
  const Hypothesis model = read_hypothesis(arguments.model, oracle->device());
  if (!oracle->answers_anything()) {
    throw Error(
        fmt::format("{}: answers what was recorded and no random sequences; cuvier check "
                    "FILE --model MODEL tells what a model gets wrong of recordings",
                    oracle->description()));
  }
  const std::string folder =
      arguments.out.empty() ? new_temporary_folder("validation") : arguments.out;
  const auto journal = open_journal(folder, *oracle);
  Terminal terminal;
  const Validation validation =
      validate_with_progress(*oracle, *journal, model, arguments, terminal);
  const Page page = validation_page(validation);
  const std::string report =
      report_file("validation", validation_json(validation), page).dump(2) + '\n';
  write_file((fs::path(folder) / "validation.json").string(), report);
  terminal.print(arguments.json ? report
                                : shown(page) + fmt::format("\nanswers: {}\n", journal->path()));
  if (validation.smallest) {
    const std::string path = (fs::path(folder) / "smallest.json").string();
    write_file(path, to_json(validation.smallest->minimised.probe).dump(2) + '\n');
    if (!arguments.json) terminal.print(fmt::format("smallest: {}\n", path));
  }
  if (validation.failure) std::rethrow_exception(validation.failure);
  if (!validation.contradictions.empty()) return exit_refuted;
  return validation.asked() < validation.wanted ? exit_ambiguous : exit_done;
}

}  // namespace

Run declare_validate(CLI::App& app) {
  app.footer(
      "Draws random sequences of kernels and releases, every other one as the paper does and the\n"
      "rest from cuvier's own families (streams, priorities, carve-outs, ...), predicts each by\n"
      "the model, asks the oracle, and compares all that it shows. Says on what part of such\n"
      "sequences the model may still be wrong: none wrong of 1,000 leaves at most 0.3 %.\n"
      "Every answer is written to DIR/journal.jsonl as it comes, which `cuvier check` reads, and\n"
      "in the end all that is told here to DIR/validation.json, for `cuvier report DIR`.\n"
      "With --minimize the oracle is asked on for the smallest sequence that contradicts the\n"
      "model (DIR/smallest.json). What earlier sequences had to do with a contradiction tells\n"
      "  cuvier minimize DIR/journal.jsonl --refutes MODEL\n"
      "\n"
      "MODEL is " +
      std::string(hypothesis_meaning) + '\n' + oracle_help() +
      "\n"
      "\n"
      "Exit code 0: all as predicted; 11: the model is contradicted; 10: so far it is not, but\n"
      "Ctrl-C ended it early.\n"
      "\n"
      "Examples:\n"
      "  cuvier validate --model findings/mine/model.json --oracle gpu -n 10000\n"
      "  cuvier validate --model algorithm-1 --oracle sim:a100,queue=skip_ahead --minimize");
  const auto arguments = std::make_shared<Arguments>();
  ValidationOptions& options = arguments->options;
  constexpr int most_sequences = 10'000'000;
  app.add_option("--model", arguments->model, "What predicts, see below")
      ->required()
      ->type_name("MODEL");
  add_oracle(app, arguments->oracle)->required();
  app.add_option("-n", options.sequences, "How many sequences are to be answered")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(1, most_sequences));
  app.add_flag("--minimize", options.minimise, "Make the first contradiction small");
  app.add_option("--out", arguments->out,
                 "The folder for the answers; a new one among the temporary files if not named")
      ->type_name("DIR");
  app.add_option("--seed", options.seed, "Of every random choice")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  app.add_flag("--json", arguments->json, "Print it for programs, every contradiction listed");
  return [arguments] { return validate(*arguments); };
}

}  // namespace cuvier
