#include "solver/check/oracle_check.h"

#include <optional>

#include "cli/command.h"
#include "cli/oracle_argument.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "reports/document/write_file.h"
#include "reports/port/port_report.h"

namespace cuvier {
namespace {

struct OracleCheckArguments {
  OracleArgument oracle;
  std::string out;
  std::uint64_t seed = 1;
};

int check_conformance(const OracleCheckArguments& arguments, Terminal& terminal) {
  const auto oracle = open_live_oracle(arguments.oracle, arguments.seed);
  std::optional<TemporaryFolder> temporary;
  if (arguments.out.empty()) temporary.emplace("check", "name one with --out");
  const auto journal = new_journal(temporary ? temporary->path() : arguments.out, *oracle);
  const OracleCheck check = check_oracle(*oracle, *journal, arguments.seed, terminal.task());
  terminal.print(shown(oracle_check_page(check)));
  return check.good() ? exit_done : exit_refuted;
}

void declare_oracle_check(Options& options, OracleCheckArguments& arguments) {
  options.add("ORACLE", arguments.oracle.oracle, "The oracle to ask, see below");
  add_oracle_timeout(options, arguments.oracle);
  options.add("--out DIR", arguments.out, "Keep the answers in this folder");
  options.seed(arguments.seed);
  options.progress();
}

}  // namespace

Command oracle_check_command() {
  return {
      "oracle-check",
      "Whether an oracle is fit to be asked",
      R"(Asks an oracle some hundred probes and says what is wrong: whether the oracle speaks the
protocol, whether a new session answers as the one before, whether state outlives a probe,
whether it refuses what cannot run, whether the device is as it says, how long a run takes.
The page to keep to is docs/reference/oracle-protocol.md; a program to copy is
docs/howto/oracle.py.)",
      R"(  cuvier oracle-check exec:./my-simulator
  cuvier oracle-check gpu --out checks/mine)",
      {{exit_done, "all is as it should be"},
       {exit_ambiguous, "Ctrl-C ended it"},
       {exit_refuted, "something is not as it should be"}},
      with(declare_oracle_check, check_conformance)};
}

}  // namespace cuvier
