#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/terminal.h"
#include "probes/an_error.h"
#include "solver/finding/finding.h"
#include "solver/query_selection/comparison.h"

namespace cuvier {

/// How the program ends: the only place that numbers it.
enum ExitCode {
  exit_done = 0,
  exit_fault = 1,  ///< of our own
  exit_bad_input = 2,
  exit_oracle_failed = 3,
  exit_ambiguous = 10,
  exit_refuted = 11,  ///< or: what a certificate claims does not hold
  exit_undecided = 12,
};

constexpr ExitCode exit_code(Verdict verdict) {
  if (verdict == Verdict::identified) return exit_done;
  if (verdict == Verdict::ambiguous) return exit_ambiguous;
  return verdict == Verdict::refuted ? exit_refuted : exit_undecided;
}

/// That two hypotheses differ is as good an answer as that they do not.
constexpr ExitCode exit_code(Comparison::Kind kind) {
  if (kind == Comparison::Kind::not_distinguished) return exit_ambiguous;
  return kind == Comparison::Kind::undecided ? exit_undecided : exit_done;
}

constexpr ExitCode exit_code(Error::Kind kind) {
  return kind == Error::Kind::oracle ? exit_oracle_failed : exit_bad_input;
}

/// What runs once the options are parsed; its result is the exit code.
using Run = std::function<int(Terminal&)>;

struct Exit {
  ExitCode code;
  const char* when;
};

/// All that is known of a command: parsing, --help, completion and the manual are made of it.
struct Command {
  const char* name;
  const char* summary;
  std::string about;        ///< lines as they are printed, of at most 100 columns
  std::string examples;     ///< likewise
  std::vector<Exit> exits;  ///< but "done", bad usage and, where one is asked, a failed oracle
  std::function<Run(CLI::App&)> declare;
};

/// What may be written where --help says DEVICE, say.
struct ArgumentKind {
  std::string type;                ///< what --help calls it, or how that begins
  std::string meaning;             ///< after "DEVICE is"; empty where the option says it
  std::vector<std::string> words;  ///< for shells to complete
};

/// Null where anything may be written, a file as a rule.
const ArgumentKind* kind_of(const CLI::Option& option);

/// What follows the options of --help: `about`, what its arguments may be, examples, exit codes.
std::string footer(const CLI::App& app, const Command& command);

/// Of a command with these arguments, how they are declared and what is run with them.
template <class Arguments>
std::function<Run(CLI::App&)> with(void (*declare)(Options&, Arguments&),
                                   int (*run)(const Arguments&, Terminal&)) {
  return [=](CLI::App& app) -> Run {
    const auto arguments = std::make_shared<Arguments>();
    Options options(app);
    declare(options, *arguments);
    return [=](Terminal& terminal) {
      options.expect_outputs_writable();
      if (options.is_quiet()) terminal.be_quiet();
      return run(*arguments, terminal);
    };
  };
}

// Each is defined in the file of its name, axes and devices in listings.cpp, fleet-status in
// fleet_report.cpp.
Command infer_command();
Command invent_command();
Command check_command();
Command verify_command();
Command validate_command();
Command oracle_check_command();
Command port_command();
Command audit_command();
Command predict_command();
Command explain_command();
Command run_command();
Command fits_command();
Command order_command();
Command waves_command();
Command clusters_command();
Command simulate_command();
Command distinguish_command();
Command minimize_command();
Command report_command();
Command import_command();
Command export_command();
Command kit_command();
Command score_command();
Command fleet_submit_command();
Command fleet_task_command();
Command fleet_status_command();
Command fleet_report_command();
Command axes_command();
Command devices_command();
Command completion_command();
Command manual_command();

}  // namespace cuvier
