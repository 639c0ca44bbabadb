#include "solver/audit/audit.h"

#include <gmock/gmock.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <map>

#include "solver/audit/clash.h"
#include "solver/cancellation/task.h"
#include "solver/check/check.h"
#include "solver/finding/mismatches.h"
#include "tests/law/planted.h"
#include "tests/small_sms.h"

namespace cuvier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

/// Few enough hypotheses to try each, of axes whose changes few blocks show.
Assumptions few(const Device& device) {
  Assumptions assumptions = Assumptions::all(device);
  assumptions.restrict_by("algorithm-1");
  for (const int axis : {index_of<Queue>(), index_of<Selection>(), index_of<WarpPlacement>(),
                         index_of<PointerSkip>(), index_of<SharedGranularity>()}) {
    assumptions.allowed[axis] = (1u << axis_size(axis)) - 1;
  }
  return assumptions;
}

std::vector<Hypothesis> all_of(const Assumptions& assumptions) {
  std::vector<Hypothesis> all{Hypothesis{}};
  for (int axis = 0; axis < kAxes; ++axis) {
    std::vector<Hypothesis> next;
    for (Hypothesis h : all) {
      for (int v = 0; v < axis_size(axis); ++v) {
        if (!assumptions.allows(axis, v)) continue;
        h.values[axis] = static_cast<std::uint8_t>(v);
        next.push_back(h);
      }
    }
    all = std::move(next);
  }
  return all;
}

/// Full recordings of random probes, each in a session of its own, without shared_config.
RecordingSet recordings_of(const Device& device, const Hypothesis& planted, int count, Rng& rng) {
  RecordingSet set{"test", device, {}};
  for (int i = 0; i < count; ++i) {
    Probe probe = random_probe(device, rng);
    probe.name = fmt::format("r{}", i);
    std::vector<Fact> facts = facts_of(predict(device, planted, probe), probe);
    std::erase_if(facts, [](const Fact& fact) {
      return fact.kind == Fact::Kind::shared_config || fact.kind == Fact::Kind::warp_slot;
    });
    set.recordings.push_back({probe, std::move(facts), true, fmt::format("test:{}", i)});
  }
  return set;
}

bool explains(const Hypothesis& h, const Device& device, const std::vector<Session>& sessions) {
  return std::ranges::all_of(sessions,
                             [&](const Session& session) { return explains(device, h, session); });
}

class AuditLaw : public ::testing::TestWithParam<int> {
 protected:
  AuditLaw() : rng_(static_cast<std::uint64_t>(GetParam())) {
    all_ = all_of(assumptions_);
    model_ = all_[uniform(rng_, 0, static_cast<int>(all_.size()) - 1)];
    set_ = recordings_of(device_, model_, 4, rng_);
    static std::map<int, Audit> audits;  // dear, and the same for all tests of a seed
    const auto [audited, is_new] = audits.try_emplace(GetParam());
    if (is_new) audited->second = audit({set_}, model_, assumptions_, {}, {});
    audit_ = audited->second;
  }

  std::vector<Hypothesis> having(int axis, int value) const {
    std::vector<Hypothesis> with;
    for (const Hypothesis& h : all_) {
      if (h.values[axis] == value && matters(axis, h)) with.push_back(h);
    }
    return with;
  }

  bool any_explains(const std::vector<Hypothesis>& some,
                    const std::vector<Session>& sessions) const {
    return std::ranges::any_of(some,
                               [&](const Hypothesis& h) { return explains(h, device_, sessions); });
  }

  Rng rng_;
  Device device_ = with_small_sms(small_device(4));
  Assumptions assumptions_ = few(device_);
  std::vector<Hypothesis> all_;
  Hypothesis model_;
  RecordingSet set_;
  Audit audit_;
};

TEST_P(AuditLaw, EvidenceRefutesAndNoneOfItCanGo) {
  int held = 0;
  for (const AxisAudit& axis : audit_.axes) {
    for (const OtherValue& other : axis.others) {
      const std::vector<Hypothesis> with = having(axis.axis, other.value);
      ASSERT_EQ(other.evidence.has_value(), !any_explains(with, sessions_of({set_})));
      if (!other.evidence || with.empty()) continue;
      ++held;
      const std::vector<Session>& sessions = other.evidence->sessions;
      EXPECT_FALSE(any_explains(with, sessions));
      for (std::size_t s = 0; s < sessions.size(); ++s) {
        for (std::size_t f = 0; f < sessions[s][0].facts.size(); ++f) {
          std::vector<Session> less = sessions;
          less[s][0].facts.erase(less[s][0].facts.begin() + static_cast<long>(f));
          EXPECT_TRUE(any_explains(with, less)) << sessions[s][0].name();
        }
      }
    }
  }
  EXPECT_GT(held, 0);
}

TEST_P(AuditLaw, NoSmallerClashIsThere) {
  int held = 0;
  const std::vector<Session> sessions = sessions_of({set_});
  for (const AxisAudit& axis : audit_.axes) {
    for (const OtherValue& other : axis.others) {
      const std::vector<Hypothesis> with = having(axis.axis, other.value);
      if (!other.evidence || with.empty()) continue;
      ++held;
      EXPECT_TRUE(other.evidence->smallest);
      const std::size_t size = other.evidence->sessions.size();
      int clashes = 0;  // of one and of two sessions
      for (std::size_t a = 0; a < sessions.size(); ++a) {
        const bool alone = !any_explains(with, {sessions[a]});
        clashes += alone;
        EXPECT_TRUE(!alone || size == 1);
        for (std::size_t b = a + 1; b < sessions.size(); ++b) {
          if (alone || !any_explains(with, {sessions[b]})) continue;
          if (any_explains(with, {sessions[a], sessions[b]})) continue;
          ++clashes;
          EXPECT_LE(size, 2u);
        }
      }
      EXPECT_TRUE(size > 2 || other.evidence->others + 1 >= clashes);
    }
  }
  EXPECT_GT(held, 0);
}

TEST_P(AuditLaw, RivalsExplainAndRefutedValuesDoNot) {
  EXPECT_THAT(audit_.wrong, IsEmpty());
  for (const AxisAudit& axis : audit_.axes) {
    EXPECT_TRUE(matters(axis.axis, model_) || axis.others.empty());
    for (const OtherValue& other : axis.others) {
      EXPECT_EQ(other.refutation.has_value(),
                !explains(other.changed, device_, sessions_of({set_})));
      if (other.refutation) {
        EXPECT_THAT(mismatches(other.refutation->set, other.changed), Not(IsEmpty()));
      }
      if (other.rival) {
        EXPECT_EQ(other.rival->values[axis.axis], other.value);
        EXPECT_TRUE(explains(*other.rival, device_, sessions_of({set_})));
      }
      EXPECT_NE(other.rival.has_value(), other.evidence.has_value());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AuditLaw, ::testing::Range(1, 3));

TEST(Audit, NamesWhatANearestHypothesisLeavesOut) {
  const Device device = with_small_sms(small_device(4));
  Rng rng(5);
  RecordingSet set = recordings_of(device, {}, 5, rng);
  // No scheduler puts three equal blocks on an idle device like this.
  const Probe probe{"odd", {{"k", 3, 32, 32, 0, 0, 0, {}}}, {{0, {}}}};
  set.recordings.push_back({probe, {{Fact::Kind::sm, 0, 0, {3, 3, 0}, {}}}, true, "test:odd"});
  const Audit result = audit({set}, {}, few(device), {}, {});
  ASSERT_TRUE(result.refuted);
  EXPECT_THAT(result.refuted->left_out, ElementsAre("odd"));
  ASSERT_EQ(result.refuted->clash.sessions.size(), 1u);
  EXPECT_EQ(result.refuted->clash.sessions[0][0].name(), "odd");
  EXPECT_EQ(result.mechanism, Hypothesis{});
}

TEST(Audit, SaysWhichValueHoldsInsteadOfAContradictedOne) {
  const Device device = with_small_sms(small_device(4));
  Hypothesis planted;
  planted.set<Selection>(Selection::first_fit);
  Rng rng(6);
  const RecordingSet set = recordings_of(device, planted, 6, rng);
  const Audit result = audit({set}, {}, few(device), {}, {});
  EXPECT_FALSE(result.refuted);
  EXPECT_EQ(result.mechanism.get<Selection>(), Selection::first_fit);
  const AxisAudit& selection = result.axes[index_of<Selection>()];
  EXPECT_EQ(selection.support, Support::contradicted);
  ASSERT_TRUE(selection.contradiction);
  EXPECT_THAT(selection.contradiction->sessions, Not(IsEmpty()));
}

/// Whatever was found out of each session beforehand.
TEST_P(AuditLaw, TheNearestIsWhatExplainsMost) {
  const Hypothesis other = all_[uniform(rng_, 0, static_cast<int>(all_.size()) - 1)];
  const RecordingSet more = recordings_of(device_, other, 3, rng_);
  const std::vector<Session> sessions = sessions_of({set_, more});
  const auto unexplained = [&](const Hypothesis& h) {
    return std::ranges::count_if(
        sessions, [&](const Session& session) { return !explains(h, device_, {session}); });
  };
  auto least = std::ssize(sessions);
  for (const Hypothesis& h : all_) least = std::min(least, unexplained(h));
  for (const Effort& alone : {kEffortAlone, Effort{1, 5}, Effort{10, 100}}) {
    Explanations explanations(device_, assumptions_, {}, sessions, {}, alone);
    const NearestMiss miss = nearest_miss(explanations, explanations.assumed(), model_);
    EXPECT_EQ(std::ssize(miss.left_out), least);
    EXPECT_EQ(unexplained(miss.hypothesis), least) << describe(miss.hypothesis);
  }
}

/// What was found out of each axis.
std::vector<std::string> in_words(const std::vector<AxisAudit>& axes) {
  std::vector<std::string> words;
  for (const AxisAudit& axis : axes) {
    std::string text = fmt::format("{} {}", axis.axis, name_of(axis.support));
    for (const OtherValue& other : axis.others) {
      text += fmt::format("; {}", other.value);
      if (other.refutation) text += " refuted by " + other.refutation->mismatch.where;
      if (other.rival) text += " rival " + describe(*other.rival);
      for (const Session& session : other.evidence.value_or(Evidence{}).sessions) {
        text += fmt::format(" clash {} {}", session[0].where, session[0].facts.size());
      }
      if (const auto& shown = other.difference.distinction) {
        text += " shown by " + to_json(shown->probe).dump();
      }
    }
    words.push_back(std::move(text));
  }
  return words;
}

TEST_P(AuditLaw, IsTheSameOnAnyNumberOfCores) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_arena(1).execute([&] {
    const Audit again = audit({set_}, model_, assumptions_, {}, {});
    EXPECT_EQ(in_words(again.axes), in_words(audit_.axes));
  });
}

/// Whichever thread is told to end, and wherever: the watcher is asked by one at a time.
TEST_P(AuditLaw, CutShortIsTheBeginningOfTheWhole) {
  const std::vector<std::string> whole = in_words(audit_.axes);
  for (const int after : {40, 400}) {
    int left = after;
    bool over = false;
    const Task task([&](const std::string&) {
      EXPECT_FALSE(over);
      over = left-- == 0;
      return over ? "enough" : "";
    });
    const Audit cut = audit({set_}, model_, assumptions_, {}, task);
    const std::vector<std::string> known = in_words(cut.axes);
    ASSERT_LE(known.size(), whole.size());
    EXPECT_EQ(known, std::vector(whole.begin(), whole.begin() + std::ssize(known)));
    EXPECT_EQ(cut.cut_short, over ? "enough" : "");
    EXPECT_EQ(known.size() < whole.size(), over);
  }
}

TEST(Audit, CountsHypothesesAsChecksDo) {
  const Device device = with_small_sms(small_device(4));
  Rng rng(3);
  Assumptions some = few(device);  // and an axis that changes nothing under these
  some.allowed[index_of<BatchMargin>()] = (1u << axis_size(index_of<BatchMargin>())) - 1;
  const RecordingSet set = recordings_of(device, {}, 2, rng);
  const Audit result = audit({set}, {}, some, {}, {});
  const HypothesisCount count = check({set}, some, {}).count;
  EXPECT_EQ(result.hypotheses, count.initial);
  EXPECT_EQ(result.explaining, count.remaining);
  EXPECT_LT(count.initial, count.combinations);
}

/// What may drift explains whatever does not, so a check considers it where nothing else is left.
TEST(Audit, ConsidersLastResortsAsChecksDo) {
  const Device device = with_small_sms(small_device(4));
  Assumptions some = few(device);
  some.allowed[index_of<DispatchBatch>()] = 1u << DispatchBatch::pair;
  some.allowed[index_of<PairsInFlight>()] = (1u << axis_size(index_of<PairsInFlight>())) - 1;
  Hypothesis planted;
  planted.set<DispatchBatch>(DispatchBatch::pair);
  Rng rng(3);
  const RecordingSet set = recordings_of(device, planted, 2, rng);
  const Audit result = audit({set}, planted, some, {}, {});
  const Finding checked = check({set}, some, {});
  EXPECT_EQ(result.hypotheses, checked.count.initial);
  EXPECT_EQ(result.explaining, checked.count.remaining);
  const auto& left = checked.surviving[index_of<PairsInFlight>()];
  EXPECT_EQ(std::ranges::count(left, int{PairsInFlight::drifting}), 0);
  const auto pairs_in_flight = [](const Audit& audit) {
    return *std::ranges::find(audit.axes, index_of<PairsInFlight>(), &AxisAudit::axis);
  };
  for (const OtherValue& other : pairs_in_flight(result).others) {
    EXPECT_NE(other.value, PairsInFlight::drifting);
  }
  // A model that drifts is audited all the same.
  Hypothesis drifting = planted;
  drifting.set<PairsInFlight>(PairsInFlight::drifting);
  const Audit audited = audit({set}, drifting, some, {}, {});
  EXPECT_EQ(audited.mechanism, drifting);
  EXPECT_NE(pairs_in_flight(audited).support, Support::contradicted);
}

}  // namespace
}  // namespace cuvier
