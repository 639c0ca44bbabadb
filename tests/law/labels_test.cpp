// The numbers in gpc_of_sm and tpc_of_sm are labels: whoever measures a map numbers the groups as
// they turn up. No rule depends on them.

#include <gtest/gtest.h>

#include <numeric>

#include "hypotheses/devices.h"
#include "tests/law/planted.h"

namespace cuvier {
namespace {

void relabel(std::vector<int>& map, Rng& rng) {
  std::vector<int> label(map.size());
  std::iota(label.begin(), label.end(), 0);
  std::ranges::shuffle(label, rng);
  for (int& group : map) group = label[group];
}

Device relabelled(Device device, Rng& rng) {
  relabel(device.gpc_of_sm, rng);
  relabel(device.tpc_of_sm, rng);
  return device;
}

/// `gpcs` of them, TPC by TPC in turn; their sizes are equal where they divide the TPCs.
Device device_of(int sms, int gpcs) {
  Device device = small_device(sms);
  device.name = fmt::format("{} SMs, {} GPCs", sms, gpcs);
  for (int sm = 0; sm < sms; ++sm) {
    device.gpc_of_sm[sm] = sm / 2 % gpcs;
    device.tpc_of_sm.push_back(sm / 2);
  }
  return device;
}

std::vector<Device> mapped_devices() {
  std::vector<Device> devices = {small_device(8), device_of(8, 4), device_of(16, 4),
                                 device_of(20, 3), device_of(34, 5)};
  for (const DeviceFile& file : known_devices()) {
    if (!file.device.gpc_of_sm.empty()) devices.push_back(file.device);
  }
  return devices;
}

class Labels : public ::testing::TestWithParam<Device> {
 protected:
  const Device& device_ = GetParam();
  Rng rng_{static_cast<std::uint64_t>(device_.sms)};
};

TEST_P(Labels, CarryNoOrder) {
  for (int i = 0; i < 10; ++i) {
    const Device other = relabelled(device_, rng_);
    for (int hierarchy = 0; hierarchy < axis_size(index_of<Hierarchy>()); ++hierarchy) {
      const auto value = static_cast<Hierarchy::Value>(hierarchy);
      EXPECT_EQ(groups_of(other, value), groups_of(device_, value)) << hierarchy;
    }
    for (int order = 0; order < axis_size(index_of<TieBreak>()); ++order) {
      const auto value = static_cast<TieBreak::Value>(order);
      if (value == TieBreak::learned) continue;
      EXPECT_EQ(named_order(other, value), named_order(device_, value))
          << axis_info(index_of<TieBreak>()).values[order].name;
    }
  }
}

TEST_P(Labels, ChangeNoPrediction) {
  for (int order = 0; order < axis_size(index_of<TieBreak>()); ++order) {
    for (int hierarchy = 0; hierarchy < axis_size(index_of<Hierarchy>()); ++hierarchy) {
      for (int group = 0; group < axis_size(index_of<GroupSelection>()); ++group) {
        Hypothesis hypothesis = random_hypothesis(device_, rng_);
        hypothesis.set<TieBreak>(static_cast<TieBreak::Value>(order));
        hypothesis.set<Hierarchy>(static_cast<Hierarchy::Value>(hierarchy));
        hypothesis.set<GroupSelection>(static_cast<GroupSelection::Value>(group));
        hypothesis.order.clear();
        learn_any_order(device_, hypothesis, rng_);
        Simulator one(device_, hypothesis);
        Simulator other(relabelled(device_, rng_), hypothesis);
        for (int i = 0; i < 3; ++i) {
          const Probe probe = random_probe(device_, rng_);
          ASSERT_EQ(other.run(probe), one.run(probe)) << describe(hypothesis) << "\n"
                                                      << to_json(probe).dump();
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Labels, ::testing::ValuesIn(mapped_devices()), [](const auto& device) {
  std::string name = device.param.name;
  std::erase_if(name, [](char c) { return !std::isalnum(c); });
  return name;
});

}  // namespace
}  // namespace cuvier
