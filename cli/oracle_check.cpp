#include "solver/check/oracle_check.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/number_argument.h"
#include "cli/oracle_argument.h"
#include "cli/progress.h"
#include "cli/shown.h"
#include "cli/temporary_folder.h"
#include "reports/port/port_page.h"
#include "solver/ending/cut_short.h"

namespace cuvier {
namespace {

struct Arguments {
  OracleArgument oracle;
  std::string out;
  std::uint64_t seed = 1;
};

OracleCheck check_in(const std::string& folder, Oracle& oracle, const Arguments& arguments,
                     Terminal& terminal) {
  Journal journal(folder, oracle.device(), oracle.description());
  return check_oracle(oracle, journal, arguments.seed, limited_progress(terminal));
}

int check_conformance(const Arguments& arguments) {
  const auto oracle = open_oracle(arguments.oracle, arguments.seed);
  if (!oracle->answers_anything()) {
    throw Error(fmt::format("{}: answers only what was recorded; cuvier check says what that shows",
                            oracle->description()));
  }
  Terminal terminal;
  const std::string folder = arguments.out.empty() ? new_temporary_folder("check") : arguments.out;
  ExitCode exit_code = exit_ambiguous;
  try {
    const OracleCheck check = check_in(folder, *oracle, arguments, terminal);
    terminal.print(shown(oracle_check_page(check)));
    exit_code = check.good() ? exit_done : exit_refuted;
  } catch (const CutShort& cut_short) {
    terminal.print(cut_short.why + '\n');
  }
  if (arguments.out.empty()) std::filesystem::remove_all(folder);
  return exit_code;
}

}  // namespace

Run declare_oracle_check(CLI::App& app) {
  app.footer(
      oracle_help() +
      "\n\n"
      "Asks an oracle some hundred probes, and tells of each what is wrong with it: whether it\n"
      "speaks the protocol, whether a new session answers as the one before, whether state\n"
      "outlives a probe, whether what cannot run is refused, whether the device is as it says,\n"
      "how long a run takes. docs/oracle-protocol.md is what it should keep to; there is a\n"
      "program to begin with, too.\n"
      "\n"
      "Examples:\n"
      "  cuvier oracle-check exec:./my-simulator\n"
      "  cuvier oracle-check gpu --out checks/mine\n"
      "\n"
      "Exit codes: 0 all is as it should be, 11 something is not, 2 bad usage or input,\n"
      "3 the oracle failed, 10 Ctrl-C ended it");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("ORACLE", arguments->oracle.oracle, "Who is asked, see below")
      ->required()
      ->type_name("");
  add_oracle_timeout(app, arguments->oracle);
  app.add_option("--out", arguments->out, "Keep the answers in this folder")->type_name("DIR");
  app.add_option("--seed", arguments->seed, "Of every random choice")
      ->type_name("S")
      ->capture_default_str()
      ->check(seed_number());
  return [arguments] { return check_conformance(*arguments); };
}

}  // namespace cuvier
