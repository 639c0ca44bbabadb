// A minimised probe still distinguishes, and nothing smaller by one step does.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "solver/minimise/minimise.h"
#include "tests/law/drawn.h"
#include "tests/law/planted.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

/// Two hypotheses, each of which predicts many probes.
class Pair {
 public:
  Pair(const Device& device, const Hypothesis& a, const Hypothesis& b)
      : one_(device, a), other_(device, b) {}

  bool part_on(const Probe& probe) { return first_parting(one_, other_, probe, {}).has_value(); }

  /// A probe of any family that tells them apart, if some hundred have one.
  std::optional<Probe> any_distinction(Rng& rng) {
    for (int i = 0; i < 300; ++i) {
      const Probe probe = random_probe(one_.device(), rng);
      if (part_on(probe)) return probe;
    }
    return std::nullopt;
  }

 private:
  Simulator one_;
  Simulator other_;
};

void expect_minimal(const Minimised& minimised, const Probe& before, const Device& device,
                    const Hypothesis& a, const Hypothesis& b, Pair& pair) {
  const Probe& probe = minimised.probe;
  const std::string what = describe(a) + " and " + describe(b) + ": " + to_json(probe).dump();
  EXPECT_LE(size_of(probe).kernels, size_of(before).kernels) << what;
  EXPECT_EQ(probe_from_json(to_json(probe), "minimised"), probe);
  EXPECT_NO_THROW(validate(probe, device, "minimised"));
  EXPECT_TRUE(distinction_by(probe, device, a, b)) << what;
  for (const Reduction& reduction : reductions_of(probe)) {
    const Probe smaller = reduction(probe);
    ASSERT_FALSE(pair.part_on(smaller)) << what << to_json(smaller).dump();
  }
}

TEST(Minimality, NoSingleReductionOfAMinimisedProbeDistinguishes) {
  const Device device = with_small_sms(small_device(4));
  Rng rng(1);
  MinimiseOptions options;
  options.escapes = 300;
  int minimised = 0;
  for (int point = 0; point < 4; ++point) {
    const Hypothesis a = point == 0 ? Hypothesis{} : random_hypothesis(device, rng);
    for (const Hypothesis& b : single_axis_changes(device, a, rng)) {
      if ((point > 0 || !is_thorough()) && uniform(rng, 0, 3) > 0) continue;
      Pair pair(device, a, b);
      const auto probe = pair.any_distinction(rng);
      if (!probe) continue;
      expect_minimal(minimise_between(*probe, device, a, b, options), *probe, device, a, b, pair);
      ++minimised;
    }
  }
  EXPECT_GT(minimised, drawn(60));
}

}  // namespace
}  // namespace cuvier
