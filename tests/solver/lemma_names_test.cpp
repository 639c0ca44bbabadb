// What a lemma names is no word of SMT-LIB or of a theory: another solver than Z3 reads it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "solver/proof/choice_proof.h"
#include "solver/proof/sm_proofs.h"
#include "solver/smt/smt_query.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// Of every name, the lemma that says most.
std::map<std::string, std::string> make_every_lemma() {
  const Device device = find_device("rtx3090");
  std::map<std::string, std::string> lemmas;
  const auto add = [&](const Statement& statement) {
    const Lemma lemma = statement.lemma_with_quotients().value_or(statement.lemma());
    std::string& text = lemmas[lemma.name];
    if (lemma.smt2.size() > text.size()) text = lemma.smt2;
  };
  const auto add_all = [&](const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) add(statement);
  };
  const Asked all{.room = true, .usage = true};
  for (const std::string of : {"register_layout=contiguous,config_scope=sm",
                               "register_layout=contiguous,register_pool=per_sm,"
                               "shared_placement=best_fit"}) {
    const Hypothesis h = hypothesis_from_text(of);
    const Hypothesis other =
        hypothesis_from_text(of + ",warp_placement=skip_full,config_rounding=exact");
    const TermScope scope;
    add(registers_grow(device, h));
    add(warps_shrink(device, h));
    add_all(stays_falling(device, h));
    add_all(shared_stays(device, h, all));
    add_all(shared_shrinks(device, h));
    add(sole_block(device, h));
    DealtAlike known;
    some_warps_induction(device, h, other, all, known, [&](const Induction& induction) {
      for (const auto& make : induction) add(make());
      return false;
    });
    add_all(shared_induction(device, h, other, all));
    add(idle_warps_alike(device, h, other, all));
    add(idle_shared_alike(device, h, other, all));
  }
  add(*same_choices(samples::device(), hypothesis_from_text("selection=first_fit,tie_break=linear"),
                    hypothesis_from_text("selection=first_fit,hierarchy=tpc,"
                                         "group_selection=first_fit,tie_break=linear")));
  return lemmas;
}

const std::map<std::string, std::string>& every_lemma() {
  static const std::map<std::string, std::string> lemmas = make_every_lemma();
  return lemmas;
}

TEST(LemmaNames, AreOurs) {
  // "fits.7" is a name that docs/howto/export.md tells.
  const std::regex declared("\\(declare-(?:fun|const|sort) (\\S+)"), ours("our\\..+|[a-z]+\\.\\d+");
  for (const auto& [name, text] : every_lemma()) {
    for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at) {
      EXPECT_TRUE(std::regex_match((*at)[1].str(), ours)) << name << ": " << (*at)[1];
    }
  }
}

TEST(LemmaNames, SayNothingOfWhatWasMadeBefore) {
  const Device device = find_device("rtx3090");
  const Hypothesis h = hypothesis_from_text("register_layout=contiguous");
  const TermScope scope;
  const std::string first = registers_grow(device, h).lemma().smt2;
  const std::string between = warps_shrink(device, h).lemma().smt2;
  EXPECT_EQ(registers_grow(device, h).lemma().smt2, first);
  {
    const TermScope other;
    EXPECT_EQ(warps_shrink(device, h).lemma().smt2, between);
  }
}

TEST(LemmaNames, AreReadByCvc5) {
  if (std::system("command -v cvc5 >/dev/null") != 0) GTEST_SKIP() << "cvc5 is not installed";
  const samples::Folder folder;
  EXPECT_GT(every_lemma().size(), 40U);
  for (const auto& [name, text] : every_lemma()) {
    const SmtAnswer answer =
        ask_program({"cvc5", "--parse-only"}, folder.write(name + ".smt2", text));
    EXPECT_THAT(answer.reason, testing::Not(testing::HasSubstr("(error"))) << name;
  }
}

}  // namespace
}  // namespace cuvier
