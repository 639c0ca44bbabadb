#include "solver/minimise/minimise.h"

#include <gmock/gmock.h>

#include "hypotheses/assumptions.h"
#include "hypotheses/prediction.h"
#include "probes/json_fields.h"
#include "solver/cancellation/task.h"
#include "solver/minimise/one_release.h"
#include "solver/minimise/single_launch.h"
#include "solver/minimise/size_bounds.h"
#include "solver/refuted/refutation.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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
    const Probe smaller = reduced(probe, reduction);
    EXPECT_LT(size_of(smaller), size_of(probe));
    EXPECT_EQ(probe_from_json(to_json(smaller), "smaller"), smaller);
  }
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
  EXPECT_TRUE(minimised.least.kernels.least);
  EXPECT_FALSE(minimised.least.actions.least);  // nobody looked at all probes of one action
  EXPECT_THAT(message_of([&] { minimise(launches({kernel(1)}), samples::device(), judge); }),
              HasSubstr("does not have the property"));
}

TEST(SingleLaunch, FindsTheFewestBlocks) {
  const Device device = samples::device();
  // Blocks 0 and 1 go to SMs 0 and 2, or to 0 and 1.
  const SingleLaunch tie =
      smallest_single_launch(device, {}, hypothesis_from_text("tie_break=linear"));
  ASSERT_TRUE(tie.kernel);
  EXPECT_EQ(tie.kernel->blocks, 2);
  EXPECT_TRUE(tie.complete);
  // Only beyond 2 * SMs + margin blocks do pairs show: then the second goes elsewhere.
  const SingleLaunch pair =
      smallest_single_launch(device, {}, hypothesis_from_text("dispatch_batch=pair"));
  ASSERT_TRUE(pair.kernel);
  EXPECT_EQ(pair.kernel->blocks, 2 * device.sms + 4 + 1);
  const SingleLaunch none =
      smallest_single_launch(device, {}, hypothesis_from_text("config_gate=space_only"));
  EXPECT_FALSE(none.kernel);
  EXPECT_TRUE(none.complete);
}

TEST(SizeBounds, SomeAxesNeedTwoKernels) {
  const auto shows_nothing = [](const std::string& b) {
    return why_one_kernel_shows_nothing({}, hypothesis_from_text(b)).has_value();
  };
  EXPECT_TRUE(shows_nothing("queue=skip_ahead"));
  EXPECT_TRUE(shows_nothing("config_scope=device,config_gate=space_only"));
  EXPECT_FALSE(shows_nothing("config_scope=none"));
  EXPECT_FALSE(shows_nothing("queue=skip_ahead,tie_break=linear"));
}

TEST(SizeBounds, HolesNeedARelease) {
  const auto shows_nothing = [](const std::string& b) {
    return why_two_launches_show_nothing({}, hypothesis_from_text(b)).has_value();
  };
  EXPECT_TRUE(shows_nothing("register_layout=contiguous,shared_room=total_free"));
  EXPECT_TRUE(shows_nothing("local_memory=set_when_idle"));
  EXPECT_TRUE(shows_nothing("pointer_skip=none"));
  EXPECT_FALSE(shows_nothing("local_memory=ignored"));
  EXPECT_FALSE(shows_nothing("pointer_skip=always"));
}

TEST(SizeBounds, OneThatWaitsFillsTheDevice) {
  const Device device = samples::device();
  const auto why = [&](const std::string& b, int actions, int blocks) {
    ProbeSize size;
    size.kernels = 2;
    size.actions = actions;
    size.blocks = blocks;
    return why_fewer_blocks_show_nothing(device, {}, hypothesis_from_text(b), size).has_value();
  };
  EXPECT_TRUE(why("queue=skip_ahead", 2, device.sms + 2));
  EXPECT_FALSE(why("queue=skip_ahead", 2, device.sms + 3));
  EXPECT_TRUE(why("register_layout=contiguous", 3, device.sms + 2));
  EXPECT_TRUE(why("config_scope=sm", 2, device.sms / 2 + 1));
  EXPECT_FALSE(why("config_scope=sm,tie_break=linear", 2, device.sms / 2 + 1));
}

TEST(OneRelease, FindsTheFewestBlocks) {
  const Device device = samples::device();
  const auto search = [&](const std::string& b, int most_blocks) {
    return smallest_one_release(device, {}, hypothesis_from_text(b), most_blocks);
  };
  // An SM of three blocks has holes that room sees, and the number of blocks does not.
  const OneRelease room = search("selection=fewest_warps", 1000);
  ASSERT_TRUE(room.probe);
  EXPECT_EQ(size_of(*room.probe).blocks, 3 * device.sms + 1);
  EXPECT_TRUE(room.blocks && room.resources);
  EXPECT_TRUE(
      distinction_by(*room.probe, device, {}, hypothesis_from_text("selection=fewest_warps")));
  const OneRelease few = search("selection=fewest_warps", device.sms + 1);
  EXPECT_FALSE(few.probe);
  EXPECT_TRUE(few.none);
  const OneRelease cursor = search("selection=round_robin", 1000);
  ASSERT_TRUE(cursor.probe);
  EXPECT_EQ(size_of(*cursor.probe).blocks, 2 * device.sms + 1);
  EXPECT_TRUE(cursor.blocks);
  EXPECT_FALSE(cursor.resources);
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
  EXPECT_TRUE(few.least.kernels.least && few.least.blocks.least && few.least.resources.least);
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
  EXPECT_FALSE(minimised.least.kernels.least);
}

/// How making the distinction of algorithm-1 from this one small ends where it is cut short the
/// second time that it says what it does.
Minimised cut_short_while(const std::string& searching, const std::string& other) {
  const Device device = samples::device();
  const Hypothesis b = hypothesis_from_text(other);
  int told = 0;
  MinimiseOptions options;
  options.task = Task([&](const std::string& doing) {
    return doing == searching && ++told == 2 ? "interrupted" : "";
  });
  return minimise_between(compare(device, {}, b, {}).distinction.value().probe, device, {}, b,
                          options);
}

TEST(MinimiseBetween, EndsEarlyInTheMidstOfASearch) {
  const std::pair<std::string, std::string> searches[] = {
      {"a single launch", "tie_break=linear"},
      {"one kernel and one release", "shared_room=total_free"},
      {"two launches with less resources", "queue=skip_ahead"},
  };
  for (const auto& [probes, other] : searches) {
    EXPECT_EQ(cut_short_while("trying every probe of " + probes, other).cut_short, "interrupted")
        << probes;
  }
}

TEST(MinimiseBetween, SaysWhatIsProved) {
  const Device device = samples::device();
  const Probe probe = launches({kernel(9), kernel(3)});
  const Minimised minimised =
      minimise_between(probe, device, {}, hypothesis_from_text("tie_break=linear"));
  EXPECT_EQ(minimised.probe.kernels, std::vector{(Kernel{"k1", 2, 32, 16, 0, 0, 0, {}})});
  const Minimality& least = minimised.least;
  EXPECT_TRUE(least.kernels.least && least.actions.least && least.blocks.least);
  EXPECT_TRUE(least.resources.least);
  EXPECT_THAT(least.blocks.why, HasSubstr("every probe of a single launch"));
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
