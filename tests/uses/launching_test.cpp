// What is said of kernels that are launched one after the other, against an adversary that goes
// through all that can happen on small devices.

#include "uses/fits/launching.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "hypotheses/devices.h"
#include "tests/law/planted.h"
#include "uses/fits/changes.h"
#include "uses/fits/fits.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Once = Precedence::Once;

/// What happens: a kernel arrives, or ends.
struct Event {
  int kernel;
  bool ends;
};

/// All that can happen, each sequence of events predicted by itself.
class EveryCourse {
 public:
  EveryCourse(const Device& device, const Hypothesis& hypothesis,
              const std::vector<Kernel>& kernels, const std::vector<Precedence>& edges)
      : device_(device), hypothesis_(hypothesis), kernels_(kernels), edges_(edges) {
    for (int a = 0; a < count(); ++a) {
      for (int b = 0; b < count(); ++b) {
        if (comes_before(a, b)) before_.insert({a, b});
      }
    }
    go_on({});
  }

  bool strands = false;  ///< it can come to a block that waits for ever
  bool places = false;   ///< it can come to a place for every block

 private:
  int count() const { return static_cast<int>(kernels_.size()); }

  bool comes_before(int a, int b) const {
    return std::ranges::any_of(edges_, [&](const Precedence& p) {
      return p.earlier == a && (p.later == b || comes_before(p.later, b));
    });
  }

  /// How many of the kernel's blocks have had a place.
  std::vector<int> placed(const std::vector<Event>& events) const {
    Probe probe{"events", kernels_, {}};
    for (Kernel& kernel : probe.kernels) kernel.stream.reset();
    for (const auto& [kernel, ends] : events) {
      ends ? probe.script.push_back({{}, {{kernel, {}}}}) : probe.script.push_back({kernel, {}});
    }
    std::vector<int> blocks(kernels_.size());
    if (events.empty()) return blocks;
    for (const Step& step : predict(device_, hypothesis_, probe).steps) {
      for (const Started& started : step.started) {
        blocks[started.kernel] += static_cast<int>(started.sm.size());
      }
    }
    return blocks;
  }

  bool happened(const std::vector<Event>& events, int kernel, bool ends) const {
    return std::ranges::any_of(
        events, [&](const Event& event) { return event.kernel == kernel && event.ends == ends; });
  }

  bool may_arrive(int k, const std::vector<Event>& events, const std::vector<int>& placed) const {
    return !happened(events, k, false) && std::ranges::all_of(edges_, [&](const Precedence& p) {
      return p.later != k ||
             (p.once == Once::ended ? happened(events, p.earlier, true)
                                    : placed[p.earlier] == kernels_[p.earlier].blocks);
    });
  }

  /// A kernel that others come after ends unless it hangs on one that waits: it may await whatever
  /// is neither before nor after it, and that likewise.
  bool may_end(int k, const std::vector<Event>& events, const std::vector<int>& placed) const {
    const auto is_behind = [&](const Precedence& p) { return p.earlier == k; };
    if (!happened(events, k, false) || happened(events, k, true) ||
        placed[k] < kernels_[k].blocks || std::ranges::none_of(edges_, is_behind)) {
      return false;
    }
    std::set<int> hangs_on;
    hang(k, events, hangs_on);
    return std::ranges::none_of(hangs_on, [&](int other) {
      return happened(events, other, false) && placed[other] < kernels_[other].blocks;
    });
  }
  void hang(int k, const std::vector<Event>& events, std::set<int>& on) const {
    for (int other = 0; other < count(); ++other) {
      if (other == k || before_.contains({k, other}) || before_.contains({other, k})) continue;
      if (!happened(events, other, true) && on.insert(other).second) hang(other, events, on);
    }
  }

  void go_on(const std::vector<Event>& events) {
    const std::vector<int> placed = this->placed(events);
    bool all = true;
    for (int k = 0; k < count(); ++k) all = all && placed[k] == kernels_[k].blocks;
    if (all) {
      places = true;
      return;
    }
    bool is_over = true;
    for (int k = 0; k < count(); ++k) {
      const bool ends = may_end(k, events, placed);
      if (!ends && !may_arrive(k, events, placed)) continue;
      is_over = false;
      std::vector<Event> more = events;
      more.push_back({k, ends});
      go_on(more);
    }
    strands = strands || is_over;
  }

  const Device& device_;
  const Hypothesis& hypothesis_;
  const std::vector<Kernel>& kernels_;
  const std::vector<Precedence>& edges_;
  std::set<std::pair<int, int>> before_;
};

std::vector<Precedence> random_edges(int kernels, Rng& rng) {
  std::vector<Precedence> edges;
  for (int later = 1; later < kernels; ++later) {
    for (int earlier = 0; earlier < later; ++earlier) {
      if (uniform(rng, 0, 2) > 0) continue;
      edges.push_back({later, earlier, uniform(rng, 0, 1) == 0 ? Once::begun : Once::ended});
    }
  }
  return edges;
}

std::vector<Kernel> few_kernels(const Device& device, Rng& rng) {
  std::vector<Kernel> kernels;
  for (int k = 0, count = uniform(rng, 2, 4); k < count; ++k) {
    Kernel kernel =
        samples::kernel("k" + std::to_string(k), uniform(rng, 1, 4), 32 * uniform(rng, 1, 24));
    kernel.registers = 8 * uniform(rng, 2, 10);
    kernel.shared = 1024 * uniform(rng, 0, 60);
    while (!is_legal(kernel, device)) kernel.registers -= 8;
    kernels.push_back(kernel);
  }
  return kernels;
}

TEST(LaunchingLaw, VerdictsAreThoseOfAnAdversary) {
  Rng rng(31);
  int verdicts[5] = {};
  for (int point = 0; point < 300; ++point) {
    Device device = small_device(uniform(rng, 2, 3));
    device.max_blocks_per_sm = 4;
    const std::vector<Kernel> kernels = few_kernels(device, rng);
    const std::vector<Precedence> edges = random_edges(static_cast<int>(kernels.size()), rng);
    if (edges.empty()) continue;
    Hypothesis hypothesis = random_hypothesis(device, rng);
    hypothesis.set<DispatchBatch>(DispatchBatch::single);
    if (point % 2 == 0) hypothesis = {};  // some are proved of
    const EveryCourse course(device, hypothesis, kernels, edges);
    const Fits answer = fits(device, {hypothesis}, {kernels, {}, {edges}});
    const bool is_safe =
        answer.verdict == Fits::Verdict::always || answer.verdict == Fits::Verdict::under_model;
    const std::string what = fmt::format("point {}: {}", point, describe(hypothesis));
    EXPECT_NE(answer.verdict, Fits::Verdict::undecided) << what << answer.reason;
    EXPECT_EQ(is_safe, !course.strands) << what;
    EXPECT_EQ(answer.verdict == Fits::Verdict::never, !course.places) << what;
    ++verdicts[static_cast<int>(answer.verdict)];
  }
  for (const Fits::Verdict verdict : {Fits::Verdict::always, Fits::Verdict::under_model,
                                      Fits::Verdict::unsafe, Fits::Verdict::never}) {
    EXPECT_GT(verdicts[static_cast<int>(verdict)], 15) << static_cast<int>(verdict);
  }
}

TEST(LaunchSequence, SaysWhoIsThereTogether) {
  // 0 ends, then 1; of 1 blocks have begun, then 2. 3 is on its own.
  const Sequence sequence(4, {{1, 0, Once::ended}, {2, 1, Once::begun}});
  EXPECT_THAT(sequence.resident_at_once(),
              UnorderedElementsAre(UnorderedElementsAre(0, 3), UnorderedElementsAre(1, 2, 3)));
  EXPECT_THAT(sequence.staying(), ElementsAre(2, 3));
  EXPECT_FALSE(sequence.may_await(0, 2));
  EXPECT_TRUE(sequence.may_hang_on(0, 2, std::vector<bool>(4)));  // by way of 3
  EXPECT_TRUE(Sequence(2, {{1, 0}, {0, 1, Once::ended}}).is_circular());
}

class LaunchingOnB200 : public ::testing::Test {
 protected:
  static Kernel kernel(const std::string& name, int blocks, int shared_kib) {
    Kernel kernel = samples::kernel(name, blocks, 256);
    kernel.shared = shared_kib * 1024;
    return kernel;
  }
  Fits asked(const std::vector<Kernel>& kernels, const Launching& launching) {
    return fits(device_, {Hypothesis{}}, {kernels, {}, launching});
  }

  const Device device_ = find_device("b200");
};

TEST_F(LaunchingOnB200, WhatHasEndedTakesNoRoom) {
  const std::vector<Kernel> kernels = {kernel("first", 148, 213), kernel("second", 148, 213)};
  EXPECT_EQ(asked(kernels, {}).verdict, Fits::Verdict::never);
  EXPECT_EQ(asked(kernels, {{{1, 0, Once::ended}}, {}}).verdict, Fits::Verdict::always);
}

/// It waits until the first ends, which does not wait for it.
TEST_F(LaunchingOnB200, ADependentKernelWithoutRoomWaitsForTheFirst) {
  std::vector<Kernel> kernels = {kernel("first", 148, 213), kernel("second", 148, 213)};
  kernels[0].stream = kernels[1].stream = "s";
  EXPECT_EQ(asked(kernels, {}).verdict, Fits::Verdict::never);
  EXPECT_EQ(asked(kernels, {{{1, 0, Once::begun}}, {}}).verdict, Fits::Verdict::under_model);
}

/// It takes the places of a third one, for which the first may wait.
TEST_F(LaunchingOnB200, ADependentKernelMayStrandAThirdOne) {
  const std::vector<Kernel> kernels = {kernel("first", 100, 213), kernel("second", 48, 213),
                                       kernel("comm", 20, 213)};
  const Launching launching{{{1, 0, Once::begun}}, {}};
  const Fits answer = asked(kernels, launching);
  EXPECT_EQ(answer.verdict, Fits::Verdict::unsafe);
  EXPECT_EQ(answer.stranding->stranded, (std::map<int, int>{{2, 20}}));
  EXPECT_EQ(asked(kernels, {{{1, 0, Once::ended}}, {}}).verdict, Fits::Verdict::always);
  const auto mended = changes(device_, {Hypothesis{}}, {kernels, {}, launching}, answer.safe);
  EXPECT_THAT(mended, Contains(AllOf(Field(&Change::of, Change::Of::blocks),
                                     Field(&Change::kernel, 1), Field(&Change::to, 28))));
}

TEST_F(LaunchingOnB200, CooperativeLaunchesAreRefusedThatDoNotFitAlone) {
  const std::vector<Kernel> kernels = {kernel("large", 149, 213), kernel("small", 1, 1)};
  const Fits answer = asked(kernels, {{}, {0, 1}});
  EXPECT_EQ(answer.verdict, Fits::Verdict::never);
  EXPECT_THAT(answer.refused, ElementsAre(0));
  EXPECT_THAT(answer.reason, HasSubstr("refuses the cooperative launch of large"));
  const Fits beside = fits(device_, {Hypothesis{}},
                           {{kernel("large", 148, 213)}, {{kernel("comm", 1, 100)}}, {{}, {0}}});
  EXPECT_EQ(beside.verdict, Fits::Verdict::never);
  EXPECT_TRUE(beside.refused.empty());  // alone it fits
}

}  // namespace
}  // namespace cuvier
