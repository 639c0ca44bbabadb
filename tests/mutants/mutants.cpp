// A scheduler that got an axis which nobody told the proofs of (mutations.cmake): what holds of
// the scheduler without it must not be claimed of one with it.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "solver/minimise/minimise.h"
#include "solver/proof/equivalence.h"
#include "tests/law/wide_probes.h"

namespace cuvier {
namespace {

/// A value of an axis that is not ours, and hypotheses that would be one behaviour without it.
struct Mutant {
  const char* value;
  const char* base;   ///< under which the value shows
  const char* alike;  ///< is proved to be as `base`, in the scheduler that is not mutated
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.value; }

constexpr Mutant kMutants[] = {
    {"mutant_queue=interleaved", "", "pointer_reset=never"},
    {"mutant_queue=reversed_after_release", "", "pointer_reset=never"},
    {"mutant_queue=three_in_flight", "", "pointer_reset=never"},
    {"mutant_batches=three", "dispatch_batch=pair", "dispatch_batch=pair,pointer_reset=never"},
    {"mutant_batches=early_end", "dispatch_batch=pair", "dispatch_batch=pair,pointer_reset=never"},
    {"mutant_choice=tires", "selection=first_fit", "selection=first_fit,dispatch_batch=pair"},
    {"mutant_choice=avoids_latest", "selection=first_fit",
     "selection=first_fit,dispatch_batch=pair"},
    {"mutant_warps=restarts_at_five", "", "pointer_reset=never"},
    {"mutant_warps=moves_on_release", "", "pointer_reset=never"},
    {"mutant_warps=backwards", "warp_placement=skip_full,register_layout=contiguous",
     "warp_placement=skip_full,register_layout=contiguous,pointer_reset=never"},
    {"mutant_warps=no_room_at_eight", "", "pointer_reset=never"},
    {"mutant_shared=half_room", "", "pointer_reset=never"},
    {"mutant_shared=other_gap", "", "pointer_reset=never"},
};

Device six_sms() {
  Device device;
  device.name = "6 SMs";
  device.architecture = "sm_86";
  device.sms = 6;
  device.max_blocks_per_sm = 16;
  device.max_warps_per_sm = 48;
  device.shared_configs = {8192, 16384, 32768, 65536, 102400};
  device.max_shared_per_block = 101376;
  return device;
}

Hypothesis with(std::string text, const std::string& more = "") {
  if (!text.empty() && !more.empty()) text += ",";
  text += more;
  return text.empty() ? Hypothesis{} : hypothesis_from_text(text);
}

/// A probe on which they differ; none if none was found.
std::optional<Probe> witness(const Device& device, const Hypothesis& a, const Hypothesis& b) {
  constexpr int most_tries = 20'000;
  Rng rng(7);
  for (int i = 0; i < most_tries; ++i) {
    const Probe probe = wide_probe(device, rng);
    if (distinction_by(probe, device, a, b)) return probe;
  }
  return std::nullopt;
}

class MutantScheduler : public testing::TestWithParam<Mutant> {
 protected:
  const Device device_ = six_sms();
  const Hypothesis base_ = with(GetParam().base);
  const Hypothesis alike_ = with(GetParam().alike);
  const Hypothesis mutant_ = with(GetParam().base, GetParam().value);
  const Hypothesis alike_mutant_ = with(GetParam().alike, GetParam().value);

  std::size_t classes_of(const Hypothesis& a, const Hypothesis& b) const {
    return classify(device_, {a, b}, {}, {}, 2).classes.size();
  }
};

TEST(Mutants, AreAllTested) {
  std::vector<std::string> values;
  for (int axis = 0; axis < kAxes; ++axis) {
    const AxisInfo& info = axis_info(axis);
    if (!info.name.starts_with("mutant_")) continue;
    for (const AxisValue& value : info.values.subspan(1)) {
      values.push_back(fmt::format("{}={}", info.name, value.name));
    }
  }
  std::vector<std::string> tested;
  for (const Mutant& mutant : kMutants) tested.push_back(mutant.value);
  EXPECT_THAT(tested, testing::UnorderedElementsAreArray(values));
}

TEST_P(MutantScheduler, IsNotProvedToBeTheOtherOne) {
  ASSERT_TRUE(witness(device_, base_, mutant_)) << "a mutant that nothing shows is none";
  EXPECT_EQ(classes_of(base_, mutant_), 2u);
}

/// A proof that was written before there was such a thing says nothing of it.
TEST_P(MutantScheduler, HasNoProofs) {
  EXPECT_EQ(classes_of(base_, alike_), 1u) << "without it there is one";
  EXPECT_EQ(classes_of(mutant_, alike_mutant_), 2u);
  const Classes result = classify(device_, {mutant_, alike_mutant_}, {}, {}, 2);
  EXPECT_THAT(result.reason,
              testing::HasSubstr(std::string("no proof was written for ") + GetParam().value));
}

INSTANTIATE_TEST_SUITE_P(All, MutantScheduler, testing::ValuesIn(kMutants), [](const auto& info) {
  std::string name = info.param.value;
  std::ranges::replace(name, '=', '_');
  return name;
});

}  // namespace
}  // namespace cuvier
