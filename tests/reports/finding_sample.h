#pragma once

#include "solver/finding/finding.h"
#include "tests/samples.h"

/// A finding as an inference on four SMs might leave it.
namespace cuvier::samples {

inline Finding finding() {
  Finding finding;
  finding.verdict = Verdict::ambiguous;
  finding.reason = "search found no probe that splits these";
  finding.device = device();
  finding.oracle = "sim:four";
  finding.mechanism = Hypothesis{};
  for (int axis = 0; axis < kAxes; ++axis) finding.surviving[axis] = {0};
  finding.surviving[index_of<PointerReset>()] = {0, 2};
  finding.open[index_of<PointerReset>()] = true;
  finding.surviving[index_of<GroupTurn>()] = {0, 1};  // matters under none that is left
  finding.count = {3.8e14, 2300000000000, 2, true};
  finding.probes = 8;
  finding.runs = 8;
  finding.seconds = 18.25;
  finding.seed = 7;
  return finding;
}

inline Mismatch mismatch() {
  return {.recording = "case",
          .where = "mine.jsonl:3",
          .fact = {Fact::Kind::sm, 2, 0, {1}, {}},
          .seen = "starts on SMs 1",
          .predicted = "starts on SMs 0",
          .kernel = "k2",
          .instead = {Fact::Kind::sm, 2, 0, {0}, {}}};
}

inline NearMiss near_miss() {
  NearMiss nearest;
  nearest.hypothesis.set<Selection>(Selection::first_fit);
  nearest.wrong = {mismatch(), mismatch(), mismatch()};
  nearest.facts = 12;
  nearest.pattern =
      Pattern{{{"blocks of the kernel", Whose::kernel, /*at_least=*/true, 648}}, 3, 0, 7};
  nearest.never_used = {1};
  return nearest;
}

}  // namespace cuvier::samples
