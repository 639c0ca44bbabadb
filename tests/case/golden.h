#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "hypotheses/scheduler/topology.h"
#include "solver/finding/finding.h"

namespace cuvier {

/// Holds `text` against tests/case/NAME.golden. After review, CUVIER_PROMOTE=1 in the
/// environment of the tests makes what is now found the new expectation.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(CUVIER_SOURCE_DIR) + "/tests/case/" + name + ".golden";
  if (std::getenv("CUVIER_PROMOTE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, expected) << path << " expects otherwise; if the new text is right, run the "
                            << "tests with CUVIER_PROMOTE=1 and commit it";
}

/// What a finding says of the mechanism, a line for each axis, as a golden file has it.
inline std::string in_lines(const Finding& finding) {
  std::string text = fmt::format("{}, {:.0f} hypotheses left\n", name_of(finding.verdict),
                                 finding.count.remaining);
  if (finding.mechanism) text += "simplest " + describe(*finding.mechanism) + "\n";
  for (int axis = 0; axis < kAxes; ++axis) {
    if (!concerns(finding.device, axis)) continue;
    text += axis_info(axis).name;
    text += finding.open[axis] ? " open:" : ":";
    for (const int value : finding.surviving[axis]) {
      text += ' ';
      text += axis_value(axis, value).name;
    }
    text += '\n';
  }
  return text;
}

/// How many facts of each recording a hypothesis gets wrong, a line for each recording.
inline std::string in_lines(const std::vector<Mismatch>& mismatches) {
  std::string text;
  int facts = 0;
  for (std::size_t i = 0; i < mismatches.size(); ++i) {
    ++facts;
    const std::string& recording = mismatches[i].recording;
    if (i + 1 < mismatches.size() && mismatches[i + 1].recording == recording) continue;
    text += fmt::format("{}: {}\n", recording, facts);
    facts = 0;
  }
  return text;
}

/// What comes nearest, and what it gets wrong, in lines.
inline std::string in_lines(const NearMiss& nearest) {
  std::string text = fmt::format("{}\n{} of {} facts wrong\n", describe(nearest.hypothesis),
                                 nearest.wrong.size(), nearest.facts);
  if (nearest.pattern) {
    const Pattern& pattern = *nearest.pattern;
    for (const Trait& trait : pattern.traits) {
      text += fmt::format("{}{} {} {}", &trait == &pattern.traits.front() ? "" : " and ",
                          trait.at_least ? "at least" : "at most", trait.threshold, trait.property);
    }
    text += fmt::format(": {} wrong, {} of {} right\n", pattern.wrong, pattern.right_here,
                        pattern.right);
  }
  return text + in_lines(nearest.wrong);
}

}  // namespace cuvier
