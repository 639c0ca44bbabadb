#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <string_view>

#include "cli/command.h"
#include "cli/usage_errors.h"
#include "probes/json_fields.h"
#include "probes/nearest_name.h"
#include "probes/oracle.h"
#include "solver/cancellation/task.h"
#include "solver/smt/smt_query.h"
#ifdef CUVIER_HAS_MIMALLOC
#include <mimalloc.h>
#endif

namespace cuvier {
namespace {

/// In the order in which --help lists them.
std::vector<Command> commands() {
  return {
      infer_command(),        invent_command(),       check_command(),      verify_command(),
      validate_command(),     oracle_check_command(), port_command(),       audit_command(),
      predict_command(),      explain_command(),      run_command(),        fits_command(),
      order_command(),        waves_command(),        clusters_command(),   simulate_command(),
      distinguish_command(),  minimize_command(),     report_command(),     import_command(),
      export_command(),       kit_command(),          score_command(),      fleet_submit_command(),
      fleet_status_command(), fleet_report_command(), fleet_task_command(), axes_command(),
      devices_command(),      completion_command(),   manual_command(),
  };
}

/// What concerns all commands.
const Command program = {
    "cuvier",
    R"(Infers from outside how a GPU schedules thread blocks.

An axis is one open question about the scheduler, such as which SM gets the next block;
`cuvier axes` lists all of them with their possible answers. A hypothesis, or model,
answers each. A probe is a script that launches kernels, whose blocks stay on their SM
until the script releases them. An oracle runs probes and tells where blocks went: a GPU,
a simulated one, or a file of recordings.)",
    "",
    R"(  cuvier infer --oracle sim:rtx3090 --out findings/first
  cuvier infer --oracle exec:cuvier-gpu --out findings/mine --assume queue=fifo
  cuvier check findings/mine/journal.jsonl --assume algorithm-1
  cuvier predict --device h200 --assume selection=round_robin probe.json)",
    {{exit_done, "identified: one behaviour is left (any other command: done)"},
     {exit_oracle_failed, "an oracle failed"},
     {exit_ambiguous, "ambiguous: several are left"},
     {exit_refuted, "refuted: none explains the facts"},
     {exit_undecided, "undecided: a solver gave up"}},
    {}};

/// What stands behind the program's name; "help fits" as "fits --help", and "fleet report" as
/// "fleet-report".
std::vector<std::string> arguments_of(const std::vector<Command>& commands, int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto first = arguments.begin() + (!arguments.empty() && arguments[0] == "help");
  if (arguments.end() - first > 1) {
    const std::string two = first[0] + '-' + first[1];
    if (std::ranges::any_of(commands, [&](const Command& each) { return each.name == two; })) {
      *first = two;
      arguments.erase(first + 1);
    }
  }
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.resize(std::min(arguments.size(), std::size_t{1}));
  arguments.emplace_back("--help");
  return arguments;
}

/// CLI11 only says that some argument was not expected.
void expect_known_command(const std::vector<Command>& commands,
                          const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0].starts_with('-')) return;
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.push_back(command.name);
  if (std::ranges::find(names, arguments[0]) != names.end()) return;
  // The first of two words: "fleet".
  std::vector<std::string> of_two;
  for (const std::string_view name : names) {
    if (name.starts_with(arguments[0] + '-')) {
      of_two.push_back(fmt::format("{} {}", arguments[0], name.substr(arguments[0].size() + 1)));
    }
  }
  if (!of_two.empty()) {
    throw an_error("{} is the first word of {}; cuvier help {} tells of the first", arguments[0],
                   fmt::join(of_two, ", "), of_two.front());
  }
  std::vector<std::string> typed;
  for (const std::string_view name : names) typed.push_back(as_typed(name));
  throw an_error("no command is called {}; there are {}", in_quotes_with_hint(arguments[0], names),
                 fmt::join(typed, ", "));
}

/// An option of the command, or none, as it is written.
std::string mistaken_argument(const CLI::App& command, const std::string& argument) {
  std::vector<std::string> written;
  for (const CLI::Option* option : command.get_options()) written.push_back(option->get_name());
  const std::vector<std::string_view> names(written.begin(), written.end());
  return fmt::format("{} is no option or argument here", in_quotes_with_hint(argument, names));
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
  CLI::App app(program.summary, program.name);
  app.footer(footer(app, program));
  app.set_version_flag("--version", [] { return "cuvier " CUVIER_VERSION ", Z3 " + z3_version(); });
  app.require_subcommand(1);
  Run run;
  const std::vector<Command> all = commands();
  for (const Command& command : all) {
    CLI::App* const subcommand = app.add_subcommand(command.name, command.summary);
    const Run declared = command.declare(*subcommand);
    subcommand->footer(footer(*subcommand, command));
    for (CLI::Option* const option : subcommand->get_options()) option->check(not_empty());
    subcommand->callback([&run, declared] { run = declared; });
  }
  try {
    std::vector<std::string> arguments = arguments_of(all, argc, argv);
    expect_known_command(all, arguments);
    std::ranges::reverse(arguments);  // as CLI11 takes them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const int exit_code = app.exit(help_or_version, text);
    print(text.str());
    return exit_code;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    // What is misspelt comes before what is missing for that.
    std::vector<std::string> unknown = command.remaining();
    std::erase(unknown, "--");
    if (chosen.empty() && unknown.empty()) {
      throw Error("name a command; cuvier --help lists them");
    }
    const std::string what =
        unknown.empty() ? usage_error(command, error) : mistaken_argument(command, unknown[0]);
    const std::string name = chosen.empty() ? "" : ' ' + as_typed(command.get_name());
    throw an_error("{} (see cuvier{} --help)", what, name);
  }
  Terminal terminal;
  return run(terminal);
}

/// Whoever takes the last memory, on whatever thread.
[[noreturn]] void out_of_memory() {
  constexpr std::string_view what =
      "cuvier: there is not enough memory for this; ask for fewer blocks or kernels\n";
  // Nothing that asks for more.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, what.data(), what.size());
  std::_Exit(exit_bad_input);
}

}  // namespace
}  // namespace cuvier

int main(int argc, char** argv) {
  std::set_new_handler(cuvier::out_of_memory);
#ifdef CUVIER_HAS_MIMALLOC  // it does not ask that handler
  mi_register_error(
      [](int error, void*) {
        if (error == ENOMEM) cuvier::out_of_memory();
      },
      nullptr);
#endif
  try {
    cuvier::expect_standard_output();
    const int exit_code = cuvier::parse_and_run(argc, argv);
    cuvier::expect_all_printed();
    return exit_code;
  } catch (const cuvier::Stopped& cut_short) {
    cuvier::complain(cut_short.why + ": nothing is known yet");
    return cuvier::exit_ambiguous;
  } catch (const cuvier::GaveUp& gave_up) {
    cuvier::complain(fmt::format("undecided: {}", gave_up.what()));
    return cuvier::exit_undecided;
  } catch (const cuvier::OracleInterrupted& interrupted) {
    cuvier::complain(interrupted.what());
    return cuvier::exit_ambiguous;
  } catch (const cuvier::Error& error) {
    cuvier::complain(error.what());
    return cuvier::exit_code(error.kind());
  } catch (const std::filesystem::filesystem_error& error) {
    // Of a path that somebody named, and that we may not look at, as a rule.
    cuvier::complain(fmt::format("{}: {}", error.path1().string(), error.code().message()));
    return cuvier::exit_bad_input;
  } catch (const std::exception& fault) {
    cuvier::complain(fmt::format("a fault of cuvier's own: {}", fault.what()));
    return cuvier::exit_fault;
  }
}
