#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/program.h"
#include "cli/progress.h"
#include "cli/shown.h"
#include "cli/terminal.h"
#include "probes/json_fields.h"
#include "reports/certificate/verification_report.h"
#include "solver/choose/random_distinction.h"

namespace cuvier {
namespace {

struct Arguments {
  std::string dir;
  std::string solver;
  bool json = false;
};

/// The second solver's command; empty where none was named and cvc5 is not there.
std::vector<std::string> second_solver(const std::string& named) {
  if (named.empty()) {
    if (!is_installed("cvc5")) return {};
    return {"cvc5", "--lang", "smt2"};
  }
  std::istringstream words(named);
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty() || !is_installed(command[0])) {
    throw Error(
        fmt::format("--solver: {} is no program that can be run; name another or give "
                    "its path",
                    in_quotes(named)));
  }
  return command;
}

int verify(const Arguments& arguments) {
  const std::vector<std::string> second = second_solver(arguments.solver);
  Terminal terminal;
  const Verification verification =
      verify_certificate(arguments.dir, second, limited_progress(terminal), told_apart_by_families);
  terminal.print(
      arguments.json
          ? verification_json(verification).dump(2, ' ', false, Json::error_handler_t::replace) +
                '\n'
          : shown(verification_page(verification)));
  if (!verification.faults.empty()) return exit_refuted;
  if (!verification.cut_short.empty()) return exit_ambiguous;
  return verification.gave_up.empty() ? exit_done : exit_undecided;
}

}  // namespace

Run declare_verify(CLI::App& app) {
  app.footer(
      "`cuvier infer` leaves in DIR what it concludes (model.json), every answer that it got\n"
      "(journal.jsonl), and why the one follows from the other (certificate/): SMT-LIB files to\n"
      "which a solver must answer `unsat`, that nobody who has an excluded value explains the\n"
      "answers, and that what is left is one behaviour.\n"
      "\n"
      "verify works all of that out again from the answers alone, and compares; predicts every\n"
      "recording by the mechanism; has hypotheses drawn at random, which are said to be excluded,\n"
      "predict them; and asks a fresh Z3 every lemma, and cvc5 where it is installed. A solver\n"
      "may take a minute and 4 GiB for each. docs/certificate.md says who has to be trusted.\n"
      "\n"
      "Exit codes:\n"
      "   0  all of it was confirmed\n"
      "  10  nothing contradicts it so far, but Ctrl-C ended it early\n"
      "  11  something does not match\n"
      "  12  nothing contradicts it, but a solver gave up\n"
      "   2  bad usage or input (there is no certificate that can be read, say), or output that\n"
      "      cannot be written\n"
      "\n"
      "Examples:\n"
      "  cuvier verify findings/mine\n"
      "  cuvier verify findings/mine --solver \"z3 -smt2\"");
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("DIR", arguments->dir, "The --out of an inference")->required()->type_name("");
  app.add_option("--solver", arguments->solver,
                 "Ask this instead of cvc5, run as PROGRAM FILE; it may have options")
      ->type_name("PROGRAM");
  app.add_flag("--json", arguments->json, "Print what was found for programs");
  return [arguments] { return verify(*arguments); };
}

}  // namespace cuvier
