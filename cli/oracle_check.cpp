#include "solver/check/oracle_check.h"

#include <filesystem>

#include "cli/command.h"
#include "cli/oracle_argument.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "reports/document/write_file.h"
#include "reports/port/port_report.h"
#include "solver/cancellation/task.h"

namespace cuvier {
namespace {

struct OracleCheckArguments {
  OracleArgument oracle;
  std::string out;
  std::uint64_t seed = 1;
};

/// Where the answers are kept: in a folder that is named, or in one that goes when this does.
class AnswersFolder {
 public:
  explicit AnswersFolder(const std::string& named)
      : is_temporary_(named.empty()),
        path_(named.empty() ? new_temporary_folder("check", "name one with --out") : named) {}
  ~AnswersFolder() {
    std::error_code ignored;
    if (is_temporary_) std::filesystem::remove_all(path_, ignored);
  }
  AnswersFolder(const AnswersFolder&) = delete;
  AnswersFolder& operator=(const AnswersFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  const bool is_temporary_;
  const std::string path_;
};

OracleCheck check_in(const std::string& folder, Oracle& oracle,
                     const OracleCheckArguments& arguments, Terminal& terminal) {
  const auto journal = new_journal(folder, oracle);
  return check_oracle(oracle, *journal, arguments.seed, terminal.task());
}

int check_conformance(const OracleCheckArguments& arguments, Terminal& terminal) {
  const auto oracle = open_live_oracle(arguments.oracle, arguments.seed);
  const AnswersFolder folder(arguments.out);
  try {
    const OracleCheck check = check_in(folder.path(), *oracle, arguments, terminal);
    terminal.print(shown(oracle_check_page(check)));
    return check.good() ? exit_done : exit_refuted;
  } catch (const Stopped& cut_short) {
    terminal.print(cut_short.why + '\n');
    return exit_ambiguous;
  }
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
