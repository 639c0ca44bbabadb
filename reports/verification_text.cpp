#include "reports/verification_text.h"

#include <fmt/format.h>

#include "reports/words.h"

namespace cuvier {
namespace {

std::string verdict_words(const Verification& verification) {
  const auto& [claims, lemmas, model, recordings] = verification.certificate;
  if (!verification.faults.empty()) {
    return counted(static_cast<double>(verification.faults.size()), "thing does", "things do") +
           " not match";
  }
  if (!verification.cut_short.empty()) return "nothing contradicts it so far";
  if (!verification.gave_up.empty()) {
    return "nothing contradicts it, but a solver gave up on " +
           counted(static_cast<double>(verification.gave_up.size()), "lemma");
  }
  const std::string predicted =
      fmt::format("the model predicts all of {}", counted(verification.recordings, "recording"));
  if (claims.empty()) return predicted + "; it says nothing that needs a proof";
  return fmt::format("{}, proved by {}; {}", counted(static_cast<double>(claims.size()), "claim"),
                     counted(static_cast<double>(lemmas.size()), "lemma"), predicted);
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
                     counted(static_cast<double>(verification.certificate.lemmas.size()), "lemma"),
                     duration_words(seconds));
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
  if (!verification.certificate.lemmas.empty()) {
    for (const std::string& solver : verification.solvers) {
      text += solver_words(verification, solver);
    }
    if (verification.solvers.size() == 1) {
      text += "  cvc5 is not installed: nobody but Z3 was asked\n";
    }
  }
  if (verification.recordings > 0 || verification.cut_short.empty()) {
    text += fmt::format("  the model predicts {} of {}, {}\n", verification.recordings_predicted,
                        counted(verification.recordings, "recording"),
                        counted(verification.facts, "fact"));
  }
  if (!verification.cut_short.empty()) {
    text += fmt::format("  {}: the rest was not checked\n", verification.cut_short);
  }
  if (!verification.certificate.claims.empty()) text += "\nclaims\n";
  for (const Certificate::Claim& claim : verification.certificate.claims) {
    text += "  " + claim.claim + '\n';
  }
  if (!verification.faults.empty()) text += "\ndoes not match\n";
  for (const std::string& fault : verification.faults) text += "  " + fault + '\n';
  if (!verification.gave_up.empty()) text += "\nundecided\n";
  for (const std::string& line : verification.gave_up) text += "  " + line + '\n';
  return text;
}

}  // namespace cuvier
