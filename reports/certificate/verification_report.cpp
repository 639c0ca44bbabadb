#include "reports/certificate/verification_report.h"

#include <fmt/format.h>

#include "probes/json_fields.h"
#include "probes/named.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

std::string verdict_words(const Verification& verification) {
  if (!verification.faults.empty()) {
    return counted(verification.faults.size(), "thing does", "things do") + " not match";
  }
  if (!verification.cut_short.empty()) return "nothing contradicts it so far";
  if (!verification.gave_up.empty()) {
    return "nothing contradicts it, but a solver gave up on " +
           counted(verification.gave_up.size(), "question");
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

void add_excluded(Section& section, const Verification& verification) {
  std::string text = fmt::format(
      "{} excluded: {} by lemmas",
      counted(excluded_values(verification), "value of an axis is", "values of axes are"),
      verification.by_constraints);
  if (verification.by_both > 0) {
    text += fmt::format(", {} by lemmas but where the order of the SMs is learned",
                        verification.by_both);
  }
  section.add(Text(text + fmt::format(", {} by pruning alone", verification.by_diagrams)));
  if (verification.last_resorts > 0) {
    section.add(Text(counted(verification.last_resorts, "last resort was", "last resorts were") +
                     " not considered: what is left does without"));
  }
  if (verification.drawn > 0) {
    section.add(Text(counted(verification.drawn, "hypothesis", "hypotheses") +
                     " of these values, drawn at random: each gets a recording wrong"));
  }
}

std::string solver_words(const Verification& verification, const std::string& solver) {
  int confirmed = 0;
  double seconds = 0;
  for (const Verification::Answer& answer : verification.answers) {
    if (answer.solver != solver) continue;
    if (answer.answer.kind == SmtAnswer::Kind::unsat) ++confirmed;
    seconds += answer.answer.seconds;
  }
  return fmt::format("{} confirms {} of {} in {}", solver, confirmed,
                     counted(verification.lemmas, "lemma"), duration_words(seconds));
}

std::string_view name_of(SmtAnswer::Kind kind) { return named(kind, {"sat", "unsat", "unknown"}); }

std::string status_of(const Verification& verification) {
  if (!verification.faults.empty()) return "refuted";
  if (!verification.cut_short.empty()) return "unfinished";
  return verification.gave_up.empty() ? "confirmed" : "undecided";
}

}  // namespace

Page verification_page(const Verification& verification) {
  Page page;
  page.verdict = fmt::format("{}: {}", status_of(verification), verdict_words(verification));
  Section checked;
  if (verification.lemmas > 0) {
    for (const std::string& solver : verification.solvers) {
      checked.add(Text(solver_words(verification, solver)));
    }
    if (verification.solvers.size() == 1) {
      checked.add(Text("cvc5 is not installed: only Z3 was asked"));
    }
  }
  if (excluded_values(verification) > 0 && verification.faults.empty() &&
      verification.cut_short.empty()) {
    add_excluded(checked, verification);
  }
  if (verification.claimed != Verdict::refuted &&
      (verification.recordings > 0 || verification.cut_short.empty())) {
    checked.say("the model predicts {} of {}, {}", verification.recordings_predicted,
                counted(verification.recordings, "recording"), counted(verification.facts, "fact"));
  }
  if (!verification.apart.empty()) checked.add(Text(verification.apart));
  if (!verification.cut_short.empty()) {
    checked.add(Text(verification.cut_short + ": the rest was not checked"));
  }
  page.add(std::move(checked));
  const auto add_list = [&](const char* title, const std::vector<std::string>& lines) {
    page.add({title, {List{{lines.begin(), lines.end()}}}});
  };
  add_list("Claims", verification.claims);
  add_list("Does not match", verification.faults);
  add_list("Undecided", verification.gave_up);
  return page;
}

nlohmann::ordered_json verification_json(const Verification& verification) {
  Json json = {{"status", status_of(verification)}, {"solvers", verification.solvers},
               {"claims", Json::array()},           {"claimed", name_of(verification.claimed)},
               {"lemmas", verification.lemmas},     {"answers", Json::array()}};
  for (const std::string& claim : verification.claims) json["claims"].push_back(claim);
  json["excluded"] = {{"constraints", verification.by_constraints},
                      {"constraints_but_learned_orders", verification.by_both},
                      {"diagrams", verification.by_diagrams},
                      {"last_resorts", verification.last_resorts}};
  json["drawn"] = verification.drawn;
  json["left"] = verification.left;
  for (const Verification::Answer& answer : verification.answers) {
    json["answers"].push_back({{"file", answer.file},
                               {"solver", answer.solver},
                               {"answer", name_of(answer.answer.kind)},
                               {"reason", answer.answer.reason},
                               {"seconds", answer.answer.seconds}});
  }
  json["recordings"] = verification.recordings;
  json["recordings_predicted"] = verification.recordings_predicted;
  json["facts"] = verification.facts;
  json["faults"] = verification.faults;
  json["gave_up"] = verification.gave_up;
  if (!verification.cut_short.empty()) json["cut_short"] = verification.cut_short;
  return json;
}

}  // namespace cuvier
