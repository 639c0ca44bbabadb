// The checker's scheduler was written from docs/reference/scheduler.md, apart from hypotheses/:
// both place every block alike.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "hypotheses/devices.h"
#include "tests/law/odd_device.h"
#include "tests/law/odd_formulas.h"
#include "tests/law/planted.h"
#include "tests/law/random_formula.h"
#include "tests/law/wide_probes.h"
#include "tests/small_sms.h"
#include "verify/left.h"
#include "verify/recording.h"

namespace cuvier {
namespace {

std::string words(const std::vector<verify::Step>& steps) {
  std::string text;
  for (const verify::Step& step : steps) {
    text += "step:";
    for (std::size_t k = 0; k < step.size(); ++k) {
      for (const verify::Seen& seen : step[k]) {
        text += fmt::format(" {}.{}@{}[{}]", k + 1, seen.block, seen.sm,
                            fmt::join(seen.subpartitions, ""));
      }
    }
    text += '\n';
  }
  return text;
}

std::string text_of(const Hypothesis& hypothesis, int axis) {
  const int value = hypothesis.values[axis];
  for (const TrialValue* on = TrialValue::latest(); on != nullptr; on = on->before()) {
    if (on->axis() == axis && on->value() == value) return on->formula().text;
  }
  return std::string(axis_value(axis, value).name);
}

std::string text_of(const Hypothesis& hypothesis) {
  std::string text;
  for (int axis = 0; axis < kAxes; ++axis) {
    text += fmt::format("{}={}\n", axis_info(axis).name, text_of(hypothesis, axis));
  }
  return text;
}

/// The hypothesis as the checker has it.
verify::Mechanism as_checker(const Hypothesis& hypothesis) {
  verify::Mechanism mechanism;
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::string name(axis_info(axis).name);
    const int at = verify::find_axis(name);
    EXPECT_GE(at, 0) << name;
    mechanism[at] = verify::value_of(at, text_of(hypothesis, axis));
  }
  return mechanism;
}

std::vector<verify::Step> as_checker(const Observation& observation, std::size_t kernels) {
  std::vector<verify::Step> steps;
  for (const Step& step : observation.steps) {
    verify::Step& at = steps.emplace_back(kernels);
    for (const Started& s : step.started) {
      for (std::size_t i = 0; i < s.block.size(); ++i) {
        std::vector<int> slots(s.warp_slot[i].begin(), s.warp_slot[i].end());
        for (int& slot : slots) slot %= 4;
        at[s.kernel].push_back({s.block[i], s.sm[i], slots});
      }
    }
  }
  return steps;
}

verify::Probe as_checker(const Probe& probe, const verify::Device& device) {
  const verify::Json json = verify::parse_json(to_json(probe).dump(), "probe");
  verify::Field fields(json, "probe");
  return verify::probe_from(fields, device);
}

/// A recording of all that it shows of SMs.
verify::Recording recorded(const verify::Probe& probe, const std::vector<verify::Step>& shown,
                           bool is_first) {
  verify::Recording recording;
  recording.probe = probe;
  recording.fresh = is_first;
  for (const verify::Step& step : shown) {
    std::vector<verify::Known>& known = recording.known.emplace_back(step.size());
    for (std::size_t k = 0; k < step.size(); ++k) {
      for (const verify::Seen& seen : step[k]) {
        if (!known[k].sms) known[k].sms.emplace();
        known[k].sms->push_back(seen.sm);
      }
    }
  }
  return recording;
}

/// The same with its kernels in the file in the order of their launches, or the other way round.
Probe in_any_order(Probe probe, Rng& rng) {
  if (uniform(rng, 0, 1) == 0) return probe;
  std::ranges::reverse(probe.kernels);
  const int last = static_cast<int>(probe.kernels.size()) - 1;
  for (Action& action : probe.script) {
    if (action.launch) action.launch = last - *action.launch;
    for (Release& release : action.releases) release.kernel = last - release.kernel;
  }
  return probe;
}

/// A device of which the SMs of a TPC do not follow each other, and an SM holds few blocks.
Device with_scattered_tpcs() {
  Device device = with_clusters(with_lone_tpcs());
  device.gpc_of_sm = {0, 1, 1, 2, 2, 0, 1, 3, 1, 2, 2, 3};
  device.tpc_of_sm = {0, 1, 2, 3, 4, 0, 1, 5, 2, 3, 4, 5};
  device.max_blocks_per_sm = 1;
  return device;
}

/// Three probes of a session, which both run.
void expect_agreement(const Device& device, const Hypothesis& hypothesis, Rng& rng) {
  const verify::Mechanism mechanism = as_checker(hypothesis);
  const verify::Device as_read =
      verify::device_from({verify::parse_json(to_json(device).dump(), "device"), "device"});
  Simulator simulator(device, hypothesis);
  verify::Left left(as_read, verify::Space(mechanism));
  verify::Left explaining = left;
  for (int i = 0; i < 3; ++i) {
    const Probe probe = in_any_order(
        uniform(rng, 0, 1) == 0 ? wide_probe(device, rng) : random_probe(device, rng), rng);
    const Observation expected = simulator.run(probe);
    const verify::Probe asked = as_checker(probe, as_read);
    const std::vector<verify::Step> shown = as_checker(expected, probe.kernels.size());
    const auto message = [&] {
      return fmt::format("probe {} of {}\n{}{}\n", i, to_json(device).dump(), text_of(hypothesis),
                         to_json(probe).dump());
    };
    ASSERT_EQ(words(left.run(asked)), words(shown)) << message();
    explaining.explain(recorded(asked, shown, i == 0));
    ASSERT_FALSE(explaining.nothing()) << "not explained: " << message();
    const verify::SharedRules rules({as_read, mechanism, asked.kernels});
    for (const Step& step : expected.steps) {
      for (const auto& [kernel, bytes] : step.shared_config) {
        EXPECT_EQ(rules.target(kernel), bytes) << message();
      }
    }
  }
}

/// `is_hopper`: with what only an H100 does.
Hypothesis any_hypothesis(const Device& device, bool is_hopper, Rng& rng) {
  Hypothesis hypothesis = random_named(device, rng);
  if (!is_hopper) return hypothesis;
  hypothesis = with_hopper_memory(hypothesis, rng);
  if (uniform(rng, 0, 1) == 0) hypothesis.set<Numbering>(Numbering::by_gpc);
  return with_hopper_clusters(hypothesis, rng);
}

/// Sessions of these devices in turn. `formulas`: of 100 times, so often an axis has each of the
/// odd formulas.
void expect_agreement(const std::vector<Device>& devices, int sessions, int formulas, int seed,
                      bool is_hopper = false) {
  Rng rng(seed);
  for (int session = 0; session < sessions && !::testing::Test::HasFailure(); ++session) {
    const Device& device = devices[session % devices.size()];
    Hypothesis hypothesis = any_hypothesis(device, is_hopper, rng);
    for (const OddFormula& odd : odd_formulas()) {
      const int axis = *find_axis(odd.axis);
      if (uniform(rng, 0, 99) >= formulas) continue;
      const int value = formula_value(axis, odd.text);
      if (available(device, axis, value)) hypothesis = hypothesis.with(axis, value);
    }
    expect_agreement(device, hypothesis, rng);
  }
}

/// CUVIER_SESSIONS=N: so many of each kind.
int sessions(int otherwise) {
  const char* const asked = std::getenv("CUVIER_SESSIONS");
  return asked == nullptr ? otherwise : std::atoi(asked);
}

/// What the checker takes for an ordinary value is one.
TEST(Checker, HoldsTheSameForLastResorts) {
  std::map<std::string, std::set<std::string>> in_turn;
  for (const auto& [axis, values] : verify::last_resorts_in_turn()) {
    in_turn[std::string(verify::axes[axis].name)].insert(values.begin(), values.end());
  }
  std::map<std::string, std::set<std::string>> expected;
  for (int axis = 0; axis < kAxes; ++axis) {
    for (const AxisValue& value : axis_info(axis).values) {
      const std::string name(value.name);
      const bool is_of_lone_tpcs = of_lone_tpcs(value.needs);
      EXPECT_EQ(verify::is_last_resort(name), value.last_resort) << name;
      EXPECT_EQ(verify::needs_lone_tpcs(name), is_of_lone_tpcs) << name;
      if (value.last_resort && !is_of_lone_tpcs) {
        expected[std::string(axis_info(axis).name)].insert(name);
      }
    }
  }
  EXPECT_EQ(in_turn, expected);
}

/// Which values a device has, by what they need.
TEST(Checker, HasTheSameValuesOnEachDevice) {
  Device without_map = small_device(8);
  without_map.gpc_of_sm.clear();
  for (const Device& device :
       {without_map, small_device(8), clustered_device(8), with_lone_tpcs()}) {
    const Assumptions all = Assumptions::all(device);
    double combinations = 1;
    for (const std::uint32_t allowed : all.allowed) combinations *= std::popcount(allowed);
    const verify::Device as_read =
        verify::device_from({verify::parse_json(to_json(device).dump(), "device"), "device"});
    EXPECT_EQ(verify::Space(as_read).combinations(), combinations) << device.name;
  }
}

TEST(Checker, PlacesBlocksAsTheOtherDefinition) {
  expect_agreement({small_device(4), small_device(8), clustered_device(8), clustered_device(12)},
                   sessions(1000), 0, 1);
}

TEST(Checker, DoesWhatOnlyAnH100DoesAsTheOtherDefinition) {
  const Device device = with_lone_tpcs();
  expect_agreement({device, with_small_sms(device), with_clusters(device), with_scattered_tpcs()},
                   sessions(800), 0, 3, true);
}

TEST(Checker, PlacesBlocksOnOddDevicesAsTheOtherDefinition) {
  give_odd_formulas();
  Rng rng(6);
  std::vector<Device> devices;
  for (int i = 0; i < 100; ++i) devices.push_back(odd_device(rng));
  expect_agreement(devices, sessions(600), 20, 6);
}

/// As many GPCs as it takes for a round of equals to begin while another waits.
TEST(Checker, NumbersByGpcOnAWholeDevice) {
  expect_agreement({find_device("h200")}, sessions(40), 0, 5, true);
}

/// Kernels take turns block by block under some.
TEST(Checker, NumbersByGpcWhateverTheFormulas) {
  give_odd_formulas();
  expect_agreement({with_lone_tpcs(), with_clusters(with_lone_tpcs()), with_scattered_tpcs()},
                   sessions(450), 30, 4, true);
}

/// Of any shape, on a quarter of the axes.
TEST(Checker, ReadsAnyFormulaAsTheOtherDefinition) {
  Rng rng(7);
  for (int session = 0; session < sessions(900) && !HasFailure(); ++session) {
    const bool is_hopper = session % 3 == 0;
    const Device device = is_hopper          ? pick(rng, {with_lone_tpcs(), with_scattered_tpcs()})
                          : session % 3 == 1 ? odd_device(rng)
                                             : pick(rng, {small_device(8), clustered_device(8)});
    Hypothesis hypothesis = any_hypothesis(device, is_hopper, rng);
    std::vector<std::unique_ptr<TrialValue>> formulas;
    for (int axis = 0; axis < kAxes; ++axis) {
      const FormulaInfo* const info = axis_info(axis).formula;
      if (info == nullptr || uniform(rng, 0, 3) > 0) continue;
      Formula formula = random_formula(*info, device, rng);
      if (find_value(axis, formula.text)) continue;  // the name of a value, which is not that number
      formulas.push_back(std::make_unique<TrialValue>(axis, std::move(formula)));
      if (!available(device, axis, formulas.back()->value())) continue;
      hypothesis = hypothesis.with(axis, formulas.back()->value());
    }
    expect_agreement(device, hypothesis, rng);
    while (!formulas.empty()) formulas.pop_back();  // what came last ends first
  }
}

TEST(Checker, ReadsFormulasAsTheOtherDefinition) {
  give_odd_formulas();
  expect_agreement({small_device(8), clustered_device(8)}, sessions(500), 30, 2);
}

}  // namespace
}  // namespace cuvier
