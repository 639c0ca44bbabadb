#include <atomic>
#include <future>
#include <sstream>

#include "cli/command.h"
#include "cli/process.h"
#include "cli/terminal.h"
#include "probes/json_fields.h"
#include "reports/certificate/verification_report.h"
#include "solver/query_selection/random_distinction.h"
#include "verify/check.h"
#include "verify/fields.h"

namespace cuvier {
namespace {

struct VerifyArguments {
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
    throw an_error("--solver: {} is no program that can be run; name another or give its path",
                   in_quotes(named));
  }
  return command;
}

/// Has the checker look at it, too, which shares nothing with what else looks (verify/).
Verification check_apart(const std::string& dir, const Task& task,
                         const std::atomic<bool>& failed) {
  Verification apart;
  try {
    const verify::Checked checked = verify::check(dir, [&] {
      if (failed) throw Stopped{"what else looks has failed"};
      task.still();
    });
    apart.faults = checked.faults;
    apart.apart =
        !checked.undecided.empty() ? "cuvier-verify cannot say: " + checked.undecided
        : checked.faults.empty()
            ? "cuvier-verify, which shares nothing with all this, confirms which values are left"
            : "";
  } catch (const verify::Unreadable& unreadable) {
    apart.faults.push_back(unreadable.what());
  } catch (const Stopped& stopped) {
    apart.cut_short = stopped.why;
  }
  return apart;
}

int check_again(const VerifyArguments& arguments, Terminal& terminal) {
  const std::vector<std::string> second = second_solver(arguments.solver);
  const Task task = terminal.task();
  std::atomic<bool> failed = false;
  auto beside =
      std::async(std::launch::async, [&] { return check_apart(arguments.dir, task, failed); });
  Verification verification;
  try {
    verification = verify_certificate(arguments.dir, second, task, told_apart_by_families);
  } catch (...) {
    failed = true;  // nobody waits for the checker then
    throw;
  }
  task.tell("following all hypotheses through the recordings");
  const Verification apart = beside.get();
  verification.faults.insert(verification.faults.end(), apart.faults.begin(), apart.faults.end());
  verification.apart = apart.apart;
  if (verification.cut_short.empty()) verification.cut_short = apart.cut_short;
  terminal.tell(arguments.json, verification_json(verification), verification_page(verification),
                2);
  if (!verification.faults.empty()) return exit_refuted;
  if (!verification.cut_short.empty()) return exit_ambiguous;
  return verification.gave_up.empty() ? exit_done : exit_undecided;
}

void declare_verify(Options& options, VerifyArguments& arguments) {
  options.add("DIR", arguments.dir, "The --out of an inference");
  options.add("--solver PROGRAM", arguments.solver,
              "Ask this instead of cvc5, run as PROGRAM FILE; it may have options");
  options.json(arguments.json, "Print what was found for programs");
  options.progress();
}

}  // namespace

Command verify_command() {
  return {"verify",
          "Check the certificate of an inference again",
          R"(`cuvier infer` leaves in DIR what it concludes (model.json), every answer that it got
(journal.jsonl), and why the one follows from the other (certificate/): SMT-LIB files to
which a solver must answer `unsat`. They say that no hypothesis with an excluded value
explains the answers, and that what is left is one behaviour.

verify takes the answers alone. It works all of that out again and compares; predicts every
recording by the mechanism; draws hypotheses at random that are said to be excluded, and
has them predict the recordings; asks a fresh Z3 every lemma, and cvc5 where it is installed;
and does what cuvier-verify does, a checker that shares nothing with the rest. A solver
may take a minute and 4 GiB for each lemma. What has to be trusted:
docs/reference/certificate.md.)",
          R"(  cuvier verify findings/mine
  cuvier verify findings/mine --solver "z3 -smt2")",
          {{exit_done, "all of it was confirmed"},
           {exit_ambiguous, "nothing contradicts it so far, but Ctrl-C ended it early"},
           {exit_refuted, "something does not match"},
           {exit_undecided, "nothing contradicts it, but a solver gave up"}},
          with(declare_verify, check_again)};
}

}  // namespace cuvier
