#include "solver/smt/smt_query.h"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cerrno>
#include <iostream>

#include "tests/is_gone.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

const std::string unsatisfiable =
    "(set-logic QF_LIA)(declare-const x Int)(assert (and (< x 3) (> x 3)))(check-sat)";

/// Two factors of a product of two primes, which takes an age at this width.
std::string factors(int bits, const std::string& product) {
  const std::string width = std::to_string(bits);
  return "(set-logic QF_BV)(declare-const x (_ BitVec " + width + "))(declare-const y (_ BitVec " +
         width + "))(assert (= (bvmul ((_ zero_extend " + width + ") x) ((_ zero_extend " + width +
         ") y)) (_ bv" + product + " " + std::to_string(2 * bits) + ")))(assert (bvugt x (_ bv1 " +
         width + ")))(assert (bvugt y (_ bv1 " + width + ")))(check-sat)";
}
const std::string hard = factors(64, "340282366920938461286658806734041124249");

bool has_no_children() { return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(AskZ3, Sat) {
  const SmtAnswer answer = ask_z3("(declare-const x Int)(assert (= x -7))(check-sat)");
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::sat) << answer.reason;
}

TEST(AskZ3, Unsat) {
  const SmtAnswer answer = ask_z3(unsatisfiable);
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unsat) << answer.reason;
}

TEST(AskZ3, WhatItCannotReadIsUnknown) {
  const SmtAnswer answer = ask_z3("(assert (> nobody 3))(check-sat)");
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("unknown constant nobody"));
}

TEST(AskZ3, ReachesItsTimeLimit) {
  const SmtAnswer answer = ask_z3(hard, {0.3, 4096});
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
  EXPECT_EQ(answer.reason, "it reached its time limit of 0.3 s");
  EXPECT_TRUE(has_no_children());
}

TEST(AskZ3, EndsWithWhatItIsPartOf) {
  int looks = 0;
  const SmtLimits limits{
      600, 4096, Task([&](const std::string&) { return ++looks < 4 ? "" : "interrupted"; })};
  EXPECT_EQ(ask_z3(hard, limits).reason, "it was ended early");
  EXPECT_EQ(looks, 4);
  EXPECT_TRUE(has_no_children());
  const SmtAnswer answer = ask_z3(unsatisfiable, limits);
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
  EXPECT_EQ(answer.reason, "it was not asked any more");
}

TEST(AskZ3, ReachesItsMemoryLimit) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer has mapped beforehand whatever it will need";
#endif
  const SmtAnswer answer = ask_z3(factors(1024, "15"), {600, 64});
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("its memory limit of 64 MiB"));
  EXPECT_TRUE(has_no_children());
}

TEST(AskZ3, TheChildFlushesNothingOfOurs) {
  testing::internal::CaptureStdout();
  std::cout << "pending";
  ask_z3(unsatisfiable);
  ask_z3("(nonsense");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "pending");
}

class AskProgram : public ::testing::Test {
 protected:
  /// What a solver gets that is this shell script.
  SmtAnswer ask(const std::string& script, const SmtLimits& limits = {}) const {
    return ask_program({"sh", folder_.write("solver.sh", script)}, query_, limits);
  }

  samples::Folder folder_;
  std::string query_ = folder_.write("query.smt2", unsatisfiable);
};

TEST_F(AskProgram, IsGivenTheFile) {
  EXPECT_EQ(ask("grep -q QF_LIA \"$1\" && echo unsat").kind, SmtAnswer::Kind::unsat);
  EXPECT_EQ(ask("echo sat; exit 3").kind, SmtAnswer::Kind::sat);
}

TEST_F(AskProgram, WarningsAreNoAnswerAndErrorsEndIt) {
  EXPECT_EQ(ask("echo 'warning: no logic' >&2; echo unsat").kind, SmtAnswer::Kind::unsat);
  const SmtAnswer answer = ask("echo '(error \"line 1: no such sort\")'; echo unsat");
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
  EXPECT_THAT(answer.reason, HasSubstr("no such sort"));
  EXPECT_THAT(ask("printf 'warning: %0999d' 0 >&2; echo; echo '(error \"no such term\")'").reason,
              HasSubstr("no such term"));
}

TEST_F(AskProgram, AnythingElseIsUnknown) {
  EXPECT_EQ(ask("echo unknown").reason, "it answered unknown");
  EXPECT_EQ(ask("echo unsatisfied").reason, "it printed \"unsatisfied\"");
  EXPECT_THAT(ask("exit 3").reason, HasSubstr("it exited with code 3"));
  EXPECT_THAT(ask("kill -SEGV $$").reason, HasSubstr("it was killed by signal 11"));
  const SmtAnswer missing = ask_program({"no-such-solver"}, query_);
  EXPECT_EQ(missing.kind, SmtAnswer::Kind::unknown);
  EXPECT_THAT(missing.reason, HasSubstr("no-such-solver: cannot be run: No such file"));
}

TEST_F(AskProgram, ReachesItsTimeLimitWithAllThatItStarted) {
  const SmtAnswer answer =
      ask("sleep 600 & echo $! >'" + folder_.path("pid") + "'; wait", {0.9, 4096});
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
  EXPECT_EQ(answer.reason, "it reached its time limit of 0.9 s");
  EXPECT_TRUE(has_no_children());
  EXPECT_TRUE(is_gone_soon(std::stoi(folder_.read("pid"))));
}

TEST_F(AskProgram, ReachesItsMemoryLimit) {
  EXPECT_EQ(ask("echo std::bad_alloc >&2; kill -ABRT $$").reason,
            "it reached its memory limit of 4096 MiB");
  // A shell keeps what it substitutes.
  const SmtAnswer answer =
      ask("x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo sat", {600, 64});
  EXPECT_EQ(answer.kind, SmtAnswer::Kind::unknown);
}

}  // namespace
}  // namespace cuvier
