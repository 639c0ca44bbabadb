#include "reports/verification_text.h"

#include <fmt/format.h>

#include "reports/words.h"

namespace cuvier {
namespace {

std::string verdict_words(const Verification& verification) {
  if (!verification.faults.empty()) {
    return counted(static_cast<double>(verification.faults.size()), "thing does", "things do") +
           " not match";
  }
  if (!verification.cut_short.empty()) return "nothing contradicts it so far";
  if (!verification.gave_up.empty()) {
    return "nothing contradicts it, but a solver gave up on " +
           counted(static_cast<double>(verification.gave_up.size()), "question");
  }
  const std::string recordings = counted(verification.recordings, "recording");
  const char* const leave = verification.recordings == 1 ? "leaves" : "leave";
  switch (verification.claimed) {
    case Verdict::identified:
      return fmt::format("{} {} one behaviour, and the model is that", recordings, leave);
    case Verdict::ambiguous:
    case Verdict::undecided:
      return fmt::format("{} {} {}, and the model says so", recordings, leave,
                         counted(verification.left, "hypothesis", "hypotheses"));
    case Verdict::refuted:
      break;
  }
  return fmt::format("nothing explains {}, and the model says so", recordings);
}

int excluded_values(const Verification& verification) {
  return verification.by_constraints + verification.by_both + verification.by_diagrams;
}

std::string excluded_words(const Verification& verification) {
  std::string text = fmt::format(
      "  {} excluded: {} by lemmas",
      counted(excluded_values(verification), "value of an axis is", "values of axes are"),
      verification.by_constraints);
  if (verification.by_both > 0) {
    text += fmt::format(", {} by lemmas but where the order of the SMs is learned",
                        verification.by_both);
  }
  text += fmt::format(", {} by pruning alone\n", verification.by_diagrams);
  if (verification.last_resorts > 0) {
    text += fmt::format("  {} not considered: what is left does without\n",
                        counted(verification.last_resorts, "last resort was", "last resorts were"));
  }
  if (verification.drawn > 0) {
    text += fmt::format("  {} of these values, drawn at random: each gets a recording wrong\n",
                        counted(verification.drawn, "hypothesis", "hypotheses"));
  }
  return text;
}

std::string solver_words(const Verification& verification, const std::string& solver) {
  int confirmed = 0;
  double seconds = 0;
  for (const Verification::Answer& answer : verification.answers) {
    if (answer.solver != solver) continue;
    if (answer.answer.kind == SmtAnswer::Kind::unsat) ++confirmed;
    seconds += answer.answer.seconds;
  }
  return fmt::format("  {} confirms {} of {} in {}\n", solver, confirmed,
                     counted(verification.lemmas, "lemma"), duration_words(seconds));
}

}  // namespace

std::string verification_status(const Verification& verification) {
  if (!verification.faults.empty()) return "refuted";
  if (!verification.cut_short.empty()) return "unfinished";
  return verification.gave_up.empty() ? "confirmed" : "undecided";
}

std::string verification_text(const Verification& verification) {
  std::string text =
      fmt::format("{}: {}\n", verification_status(verification), verdict_words(verification));
  if (verification.lemmas > 0) {
    for (const std::string& solver : verification.solvers) {
      text += solver_words(verification, solver);
    }
    if (verification.solvers.size() == 1) {
      text += "  cvc5 is not installed: nobody but Z3 was asked\n";
    }
  }
  if (excluded_values(verification) > 0 && verification.faults.empty() &&
      verification.cut_short.empty()) {
    text += excluded_words(verification);
  }
  if (verification.claimed != Verdict::refuted &&
      (verification.recordings > 0 || verification.cut_short.empty())) {
    text += fmt::format("  the model predicts {} of {}, {}\n", verification.recordings_predicted,
                        counted(verification.recordings, "recording"),
                        counted(verification.facts, "fact"));
  }
  if (!verification.cut_short.empty()) {
    text += fmt::format("  {}: the rest was not checked\n", verification.cut_short);
  }
  if (!verification.claims.empty()) text += "\nclaims\n";
  for (const std::string& claim : verification.claims) text += "  " + claim + '\n';
  if (!verification.faults.empty()) text += "\ndoes not match\n";
  for (const std::string& fault : verification.faults) text += "  " + fault + '\n';
  if (!verification.gave_up.empty()) text += "\nundecided\n";
  for (const std::string& line : verification.gave_up) text += "  " + line + '\n';
  return text;
}

}  // namespace cuvier
