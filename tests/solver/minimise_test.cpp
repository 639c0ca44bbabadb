#include "solver/minimise/minimise.h"

#include <gmock/gmock.h>

#include <set>
#include <utility>

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "probes/json_fields.h"
#include "solver/cancellation/task.h"
#include "solver/diagnosis/refutation.h"
#include "solver/minimise/one_kernel.h"
#include "tests/law/planted.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

Kernel kernel(int blocks, int threads = 32, int registers = 32, int shared = 0) {
  return {"k", blocks, threads, registers, shared, 0, 0, std::nullopt};
}

Probe launches(std::vector<Kernel> kernels) {
  Probe probe{"some", std::move(kernels), {}};
  for (int k = 0; k < static_cast<int>(probe.kernels.size()); ++k) {
    probe.kernels[k].name += std::to_string(k);
    probe.script.push_back({k, {}});
  }
  return probe;
}

TEST(Reductions, AreValidAndSmaller) {
  const Probe probe = samples::probe();
  for (const Reduction& reduction : reductions_of(probe)) {
    const Probe smaller = reduction(probe);
    EXPECT_LT(size_of(smaller), size_of(probe));
    EXPECT_EQ(probe_from_json(to_json(smaller), "smaller"), smaller);
  }
}

TEST(Reductions, OfClustersOfAnySizeKeepThemWhole) {
  Device device = clustered_device(16);
  device.max_cluster = 8;
  Probe probe = launches({kernel(10)});
  probe.kernels[0].cluster = 5;
  std::set<std::pair<int, int>> sizes;
  for (const Reduction& reduction : reductions_of(probe)) {
    const Probe smaller = reduction(probe);
    EXPECT_LT(size_of(smaller), size_of(probe));
    EXPECT_NO_THROW(validate(smaller, device, "smaller")) << to_json(smaller);
    sizes.insert({smaller.kernels[0].blocks, smaller.kernels[0].cluster.value_or(0)});
  }
  EXPECT_THAT(sizes, IsSupersetOf({std::pair{5, 5}, {8, 4}, {6, 3}, {10, 2}, {10, 0}}));
}

TEST(Reductions, FewerBlocksNeverTurnAReleaseOfSomeIntoOneOfAll) {
  Probe probe = launches({kernel(4)});
  probe.script.push_back({{}, {{0, {2, 3}}}});
  EXPECT_THAT(with_blocks(probe, 0, 3).script[1].releases, ElementsAre(Release{0, {2}}));
  EXPECT_THAT(with_blocks(probe, 0, 2).script, SizeIs(1));
}

TEST(Minimise, KeepsWhatTheJudgeAsksFor) {
  // Two blocks of three warps or more, of a kernel that is released.
  const Judge judge = [](const Probe& probe) {
    for (const Action& action : probe.script) {
      for (const Release& release : action.releases) {
        const Kernel& released = probe.kernels[release.kernel];
        if (released.blocks >= 2 && released.warps() >= 3) return true;
      }
    }
    return false;
  };
  Probe probe = launches({kernel(7, 1000, 64), kernel(9, 100, 48, 4000), kernel(5)});
  probe.script.push_back({{}, {{1, {0, 3, 4}}, {2, {}}}});
  probe.script.push_back({{}, {{0, {}}}});
  const Minimised minimised = minimise(probe, samples::device(), judge);
  EXPECT_EQ(minimised.probe.kernels, std::vector{(Kernel{"k1", 2, 96, 16, 0, 0, 0, {}})});
  EXPECT_EQ(size_of(minimised.probe).actions, 2);
  EXPECT_EQ(minimised.probe.name, "some");
  EXPECT_THAT(message_of([&] { minimise(launches({kernel(1)}), samples::device(), judge); }),
              HasSubstr("does not have the property"));
}

TEST(OneKernel, LaunchesTheFewestBlocksThatShowIt) {
  const Device device = samples::device();
  const auto blocks = [&](const std::string& other) {
    const Hypothesis b = hypothesis_from_text(other);
    const auto probe = one_kernel(
        device, {}, b, [&](const Probe& p) { return distinction_by(p, device, {}, b).has_value(); },
        1000);
    return probe && size_of(*probe).actions == 1 ? size_of(*probe).blocks : 0;
  };
  // Blocks 0 and 1 go to SMs 0 and 2, or to 0 and 1.
  EXPECT_EQ(blocks("tie_break=linear"), 2);
  // Only beyond 2 * SMs + margin blocks do pairs show: then the second goes elsewhere.
  EXPECT_EQ(blocks("dispatch_batch=pair"), 2 * device.sms + 4 + 1);
  EXPECT_EQ(blocks("config_gate=space_only"), 0);
}

TEST(OneKernel, ReleasesBlocksOfAFullDevice) {
  const Device device = samples::device();
  const auto search = [&](const std::string& other, int most_blocks) {
    const Hypothesis b = hypothesis_from_text(other);
    return one_kernel(
        device, {}, b, [&](const Probe& p) { return distinction_by(p, device, {}, b).has_value(); },
        most_blocks);
  };
  // An SM of three blocks has holes that room sees, and the number of blocks does not.
  const auto room = search("selection=fewest_warps", 1000);
  ASSERT_TRUE(room);
  EXPECT_EQ(size_of(*room).actions, 2);
  EXPECT_EQ(size_of(*room).blocks, 3 * device.sms + 1);
  EXPECT_FALSE(search("selection=fewest_warps", 3 * device.sms));
  const auto cursor = search("selection=round_robin", 1000);
  ASSERT_TRUE(cursor);
  EXPECT_EQ(size_of(*cursor).blocks, 2 * device.sms + 1);
}

TEST(MinimiseBetween, ExceedsNoNumberOfBlocks) {
  const Device device = samples::device();
  const Hypothesis b = hypothesis_from_text("selection=fewest_warps");
  const Probe probe = launches({kernel(1, 32, 16, 4096), kernel(1, 32, 16, 12288)});
  const Minimised any = minimise_between(probe, device, {}, b);
  EXPECT_EQ(size_of(any.probe).kernels, 1);
  MinimiseOptions options;
  options.most_blocks = 2;
  const Minimised few = minimise_between(probe, device, {}, b, options);
  EXPECT_EQ(size_of(few.probe).blocks, 2);
}

TEST(MinimiseBetween, EndsEarlyWithTheSmallestSoFar) {
  const Device device = samples::device();
  const Hypothesis b = hypothesis_from_text("queue=skip_ahead");
  const Probe probe = compare(device, {}, b, {}).distinction.value().probe;
  MinimiseOptions options;
  options.task = Task([&](const std::string& doing) {
    return doing.find("blocks ") != std::string::npos ? "interrupted" : "";
  });
  const Minimised minimised = minimise_between(probe, device, {}, b, options);
  EXPECT_EQ(minimised.cut_short, "interrupted");
  EXPECT_LT(size_of(minimised.probe), size_of(probe));
  EXPECT_TRUE(distinction_by(minimised.probe, device, {}, b));
}

TEST(MinimiseBetween, EndsEarlyInTheMidstOfASearch) {
  const Device device = samples::device();
  const Hypothesis b = hypothesis_from_text("shared_room=total_free");
  const Probe probe = compare(device, {}, b, {}).distinction.value().probe;
  MinimiseOptions options;
  options.task = Task([](const std::string&) { return "interrupted"; });
  const Minimised minimised = minimise_between(probe, device, {}, b, options);
  EXPECT_EQ(minimised.cut_short, "interrupted");
  EXPECT_TRUE(distinction_by(minimised.probe, device, {}, b));
}

TEST(MinimiseBetween, IsOfTwoThatDiffer) {
  const Device device = samples::device();
  const Probe probe = launches({kernel(9), kernel(3)});
  const Minimised minimised =
      minimise_between(probe, device, {}, hypothesis_from_text("tie_break=linear"));
  EXPECT_EQ(minimised.probe.kernels, std::vector{(Kernel{"k1", 2, 32, 16, 0, 0, 0, {}})});
  EXPECT_THAT(message_of([&] {
                minimise_between(probe, device, {}, hypothesis_from_text("queue=skip_ahead"));
              }),
              HasSubstr("predict the same"));
}

TEST(SmallestRefutation, IsOneFactAndWhatItsSessionNeeds) {
  const auto seen = [](int blocks, std::vector<int> sms, bool fresh, const std::string& where) {
    return Recording{
        launches({kernel(blocks)}), {{Fact::Kind::sm, 0, 0, std::move(sms), {}}}, fresh, where};
  };
  RecordingSet set{
      "me",
      samples::device(),
      {seen(1, {0}, true, "a:2"), seen(2, {0, 1}, false, "a:3"), seen(3, {0, 1, 2}, true, "a:4")}};
  auto smallest = smallest_refutation(set, {});
  ASSERT_TRUE(smallest);
  EXPECT_EQ(smallest->facts_wrong, 2);
  ASSERT_THAT(smallest->set.recordings, SizeIs(1));  // rather than two smaller ones
  EXPECT_EQ(smallest->mismatch.where, "a:4");

  set.recordings.pop_back();
  smallest = smallest_refutation(set, {});
  ASSERT_THAT(smallest->set.recordings, SizeIs(2));
  EXPECT_THAT(smallest->set.recordings[0].facts, IsEmpty());
  EXPECT_THAT(smallest->set.recordings[1].facts, SizeIs(1));
  EXPECT_FALSE(smallest_refutation(set, hypothesis_from_text("tie_break=linear")));
}

TEST(SmallestRefutation, EndsEarlyWithTheSmallestSoFar) {
  const auto seen = [](std::vector<int> sms, const std::string& where) {
    return Recording{
        launches({kernel(1)}), {{Fact::Kind::sm, 0, 0, std::move(sms), {}}}, true, where};
  };
  const RecordingSet set{
      "me", samples::device(), {seen({0}, "a:2"), seen({1}, "a:3"), seen({2}, "a:4")}};
  const auto ended_after = [&](int recordings) {
    const Task task([&](const std::string&) { return recordings-- == 0 ? "interrupted" : ""; });
    return smallest_refutation(set, {}, task);
  };
  EXPECT_THROW(ended_after(1), Stopped);
  const auto smallest = ended_after(2);
  ASSERT_TRUE(smallest);
  EXPECT_EQ(smallest->mismatch.where, "a:3");
  EXPECT_EQ(smallest->facts_wrong, 1);
  EXPECT_EQ(smallest->recordings_before, 2);
  EXPECT_EQ(smallest->cut_short, "interrupted");
}

}  // namespace
}  // namespace cuvier
