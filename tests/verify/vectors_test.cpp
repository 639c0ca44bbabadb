// The page's vectors hold the checker to what others read in scheduler.md.

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "verify/left.h"
#include "verify/recording.h"

namespace cuvier::verify {
namespace {

/// Algorithm 1 but for these axes.
Mechanism mechanism_from(const Json& json) {
  Mechanism mechanism;
  for (int axis = 0; axis < axis_count; ++axis) {
    mechanism[axis] = value_of(axis, std::string(value_at(axis, 0).name));
  }
  for (const auto& [name, value] : json.items()) {
    const int axis = find_axis(name);
    mechanism[axis] = value_of(axis, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return mechanism;
}

/// The step in the vectors' own form, its fields in order.
nlohmann::json as_vector(const Step& step, const Probe& probe) {
  nlohmann::json started = nlohmann::json::object();
  for (std::size_t k = 0; k < probe.kernels.size(); ++k) {
    for (const Seen& seen : step[k]) {
      nlohmann::json& of = started[probe.kernels[k].name];
      of["block"].push_back(seen.block);
      of["sm"].push_back(seen.sm);
      of["subpartition"].push_back(seen.subpartitions);
    }
  }
  return {{"started", started}};
}

TEST(CheckerVectors, AreAllPredicted) {
  std::ifstream file(std::string(CUVIER_SOURCE_DIR) + "/tests/case/vectors.jsonl");
  std::map<std::string, Device> devices;
  int vectors = 0;
  for (std::string line; std::getline(file, line);) {
    const Json json = parse_json(line, "vectors.jsonl");
    if (json.at("type") == "device") {
      devices[json.at("id")] = device_from({json.at("device"), "vectors.jsonl"});
      continue;
    }
    ++vectors;
    const Device& device = devices.at(json.at("device"));
    Left left(device, Space(mechanism_from(json.at("mechanism"))));
    for (std::size_t p = 0; p < json.at("probes").size(); ++p) {
      Field fields(json.at("probes")[p], "vectors.jsonl");
      const Probe probe = probe_from(fields, device);
      const std::vector<Step> steps = left.run(probe);
      const Json& expected = json.at("observations")[p].at("steps");
      ASSERT_EQ(steps.size(), expected.size());
      for (std::size_t step = 0; step < steps.size(); ++step) {
        ASSERT_EQ(as_vector(steps[step], probe).dump(),
                  nlohmann::json::parse(expected[step].dump()).dump())
            << "vector " << vectors << ", probe " << p << ", step " << step << ", under "
            << json.at("mechanism").dump();
      }
    }
  }
  EXPECT_EQ(vectors, 281);
}

}  // namespace
}  // namespace cuvier::verify
