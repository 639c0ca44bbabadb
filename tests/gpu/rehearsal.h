#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "hypotheses/axes/warp_placement.h"
#include "probes/observation.h"
#include "tests/samples.h"
#include "tests/shell.h"

namespace cuvier {

/// The runner's own host code before a fake CUDA runtime: all that a GPU would run but for the
/// kernels. What it does not show: that a driver and a device behave as the fake does.
class Rehearsal : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(CUVIER_REHEARSAL)) GTEST_SKIP() << "no CUDA compiler found";
  }

  /// The command before a fake GPU of this name, which other settings may follow. Runners of
  /// several tests at once, which keep what they know of a GPU in the folder for temporary files,
  /// must not take theirs for one.
  std::string command(const std::string& gpu, const std::string& options = {}) const {
    return "env TMPDIR='" + folder_.path("") + "' CUVIER_FAKE_GPU=" + gpu +
           " " CUVIER_REHEARSAL " " + options;
  }

  Printed run(const std::string& command) const { return shell(folder_, command); }

  samples::Folder folder_;
};

/// Its warp slots as predictions have them: by subpartition.
inline Observation by_subpartition(Observation seen) {
  for (Step& step : seen.steps) {
    for (Started& started : step.started) {
      for (int& slot : started.warp_slot.row()) slot %= kSubpartitions;
    }
  }
  return seen;
}

}  // namespace cuvier
