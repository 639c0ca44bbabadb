#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <sstream>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/standard_output.h"
#include "probes/json_fields.h"
#include "probes/oracle.h"
#include "solver/smt/smt_query.h"

namespace cuvier {
namespace {

struct Command {
  const char* name;
  const char* summary;
  Run (*declare)(CLI::App& app);
};

constexpr std::array commands = {
    Command{"infer", "Ask an oracle until one behaviour is left", declare_infer},
    Command{"check", "Which hypotheses explain these recordings?", declare_check},
    Command{"verify", "Check the certificate of an inference again", declare_verify},
    Command{"validate", "How a model's predictions hold on random sequences", declare_validate},
    Command{"oracle-check", "Whether an oracle is fit to be asked", declare_oracle_check},
    Command{"port", "The whole road to a GPU that nobody knows yet", declare_port},
    Command{"audit", "What recordings support of a model, and what they contradict", declare_audit},
    Command{"predict", "Where a hypothesis puts the blocks of a probe", declare_predict},
    Command{"run", "Where an oracle puts the blocks of a probe", declare_run},
    Command{"fits", "Are these kernels all resident at once, whatever the order?", declare_fits},
    Command{"order", "The launch order that finishes soonest", declare_order},
    Command{"simulate", "What a scheduler makes of kernels that come and go", declare_simulate},
    Command{"distinguish", "A probe on which two hypotheses differ, or that there is none",
            declare_distinguish},
    Command{"minimize", "The smallest probe that still tells two hypotheses apart",
            declare_minimize},
    Command{"report", "What was recorded, for other tools to show", declare_report},
    Command{"import", "Recordings from what other tools have recorded", declare_import},
    Command{"export", "A model as a C++ header, as plain facts or as SMT-LIB", declare_export},
    Command{"kit", "Golden placements for simulators of a GPU", declare_kit},
    Command{"score", "Which mechanism a simulator lacks", declare_score},
    Command{"axes", "What may be true: every axis and its values", declare_axes},
    Command{"devices", "The GPUs whose documented facts are built in", declare_devices},
    Command{"completion", "What a shell needs to complete commands", declare_completion},
    Command{"manual", "All of --help as a manual page", declare_manual},
};

constexpr const char* const description =
    "Infers from outside how a GPU schedules thread blocks.\n"
    "\n"
    "An axis is one open question about the scheduler, such as which SM gets the next block;\n"
    "`cuvier axes` lists all of them with their possible answers. A hypothesis, or model,\n"
    "answers each. A probe is a script that launches kernels, whose blocks stay on their SM\n"
    "until the script releases them. An oracle runs probes and tells where blocks went: a GPU,\n"
    "a simulated one, or a file of recordings.";

constexpr const char* const examples =
    "Examples:\n"
    "  cuvier infer --oracle sim:rtx3090 --out findings/first\n"
    "  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --assume queue=fifo\n"
    "  cuvier check findings/mine/journal.jsonl --assume algorithm-1\n"
    "  cuvier predict --device h200 --assume selection=round_robin probe.json\n"
    "\n"
    "Exit codes:\n"
    "   0  identified: one behaviour is left (any other command: done)\n"
    "  10  ambiguous: several are left      11  refuted: none explains the facts\n"
    "  12  undecided: a solver gave up\n"
    "   2  bad usage or input, or output     3  an oracle failed\n"
    "      that cannot be written";

/// CLI11 only says that some argument was not expected.
void expect_known_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const auto is_named = [&](const Command& command) {
    return argv[1] == std::string(command.name);
  };
  if (std::ranges::any_of(commands, is_named)) return;
  std::vector<const char*> names;
  for (const Command& command : commands) names.push_back(command.name);
  throw Error(fmt::format("no command is called {}; there are {}", in_quotes(argv[1]),
                          fmt::join(names, ", ")));
}

/// Of a shell's variable that is not set, say: told, not taken for an option left out.
CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        return text.empty() ? "is empty; give it a value or leave it out" : "";
      },
      "");
}

int parse_and_run(int argc, char** argv) {
  CLI::App app(description, "cuvier");
  app.footer(examples);
  app.set_version_flag("--version", [] { return "cuvier " CUVIER_VERSION ", Z3 " + z3_version(); });
  app.require_subcommand(1);
  Run run;
  for (const Command& command : commands) {
    CLI::App* const subcommand = app.add_subcommand(command.name, command.summary);
    const Run declared = command.declare(*subcommand);
    for (CLI::Option* const option : subcommand->get_options()) option->check(not_empty());
    subcommand->callback([&run, declared] { run = declared; });
  }
  try {
    expect_known_command(argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const int exit_code = app.exit(help_or_version, text);
    print(text.str());
    return exit_code;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string name = chosen.empty() ? "cuvier" : "cuvier " + chosen.front()->get_name();
    // What is misspelt comes before what is missing for that.
    const auto unknown = chosen.empty() ? app.remaining() : chosen.front()->remaining();
    const std::string what =
        unknown.empty() ? one_line(error.what())
                        : fmt::format("{} is no option or argument here", in_quotes(unknown[0]));
    throw Error(fmt::format("{} (see {} --help)", what, name));
  }
  return run();
}

}  // namespace
}  // namespace cuvier

int main(int argc, char** argv) {
  try {
    cuvier::expect_standard_output();
    const int exit_code = cuvier::parse_and_run(argc, argv);
    cuvier::expect_all_printed();
    return exit_code;
  } catch (const cuvier::OracleInterrupted& interrupted) {
    cuvier::complain(interrupted.what());
    return cuvier::exit_ambiguous;
  } catch (const cuvier::Error& error) {
    cuvier::complain(error.what());
    return cuvier::exit_code(error.kind());
  } catch (const std::exception& fault) {
    cuvier::complain(fmt::format("a fault of cuvier's own: {}", fault.what()));
    return cuvier::exit_fault;
  }
}
