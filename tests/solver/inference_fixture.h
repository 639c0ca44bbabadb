#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulated_oracle.h"
#include "solver/infer/inference.h"
#include "tests/law/planted.h"

namespace cuvier {

class Inference : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Finding run(const InferenceOptions& options) {
    SimulatedOracle oracle("planted", device_, Hypothesis{});
    Journal journal(folder_, device_, "planted");
    return infer(oracle, journal, Assumptions::all(device_), options, {});
  }

  std::size_t recorded() const {
    return read_recordings((folder_ / "journal.jsonl").string()).recordings.size();
  }

  Device device_ = small_device(8);
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("cuvier-inference-{}", ::getpid());
};

inline void reverse_sms(Answer& answer) {
  for (Fact& fact : answer.facts) {
    if (fact.kind == Fact::Kind::sm) std::ranges::reverse(fact.values);
  }
}

}  // namespace cuvier
