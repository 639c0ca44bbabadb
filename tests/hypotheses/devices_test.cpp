#include "hypotheses/devices.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "hypotheses/scheduler/topology.h"
#include "hypotheses/simulator.h"
#include "probes/error.h"
#include "probes/fact.h"
#include "probes/json_fields.h"
#include "tests/samples.h"
#include "tests/shared_files.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kib = 1024;

std::string refusal(const std::string& name) {
  try {
    find_device(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

fs::path write_file(const std::string& name, const std::string& content) {
  const fs::path path = fs::path(::testing::TempDir()) / name;
  std::ofstream(path) << content;
  return path;
}

TEST(Devices, EveryFileOfTheFolderIsKnown) {
  std::vector<std::string> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(CUVIER_SOURCE_DIR) / "hypotheses" / "devices")) {
    files.push_back(entry.path().stem().string());
  }
  std::ranges::sort(files);
  std::vector<std::string> known;
  for (const DeviceFile& file : known_devices()) known.push_back(file.name);
  EXPECT_EQ(known, files);
}

TEST(Devices, EveryOneIsPlausible) {
  for (const auto& [name, device, note] : known_devices()) {
    SCOPED_TRACE(name);
    EXPECT_GT(device.sms, 0);
    EXPECT_EQ(device.sms % device.sms_per_tpc, 0);
    EXPECT_EQ(device.max_warps_per_sm % device.subpartitions, 0);
    EXPECT_EQ(device.registers_per_sm, 65536);
    EXPECT_TRUE(std::ranges::is_sorted(device.shared_configs));
    // From sm_80 on, the runtime keeps 1 KiB of every block for itself.
    const bool before_sm_80 = device.architecture == "sm_70" || device.architecture == "sm_75";
    EXPECT_EQ(device.largest_config() - device.max_shared_per_block, before_sm_80 ? 0 : kib);
    EXPECT_EQ(find_device(name), device);
  }
}

/// As SMs are numbered: TPC by TPC through the GPCs, the smallest first, as long as each has
/// another; TPCs that are alone come last.
std::vector<int> map_by_rule(std::vector<int> tpcs_per_gpc) {
  std::ranges::sort(tpcs_per_gpc);
  const auto alone = std::ranges::count(tpcs_per_gpc, 1);
  tpcs_per_gpc.erase(tpcs_per_gpc.begin(), tpcs_per_gpc.begin() + alone);
  const int gpcs = static_cast<int>(tpcs_per_gpc.size());
  std::vector<int> map;
  for (int turn = 0; turn < tpcs_per_gpc.back(); ++turn) {
    for (int gpc = 0; gpc < gpcs; ++gpc) {
      if (turn < tpcs_per_gpc[gpc]) map.insert(map.end(), {gpc, gpc});
    }
  }
  for (int gpc = gpcs; gpc < gpcs + alone; ++gpc) map.insert(map.end(), {gpc, gpc});
  return map;
}

TEST(Devices, MapsThatNobodyMeasuredFollowFromTheTpcsPerGpcAndSaySo) {
  const std::vector<int> hopper = {9, 9, 8, 8, 8, 8, 8, 4, 1, 1, 1, 1};
  const std::vector<int> blackwell = {10, 10, 10, 9, 9, 9, 9, 5, 1, 1, 1};
  const std::map<std::string, std::vector<int>> tpcs_per_gpc = {
      {"h100", hopper},
      {"h200", hopper},
      {"b200", blackwell},
      {"b300", blackwell},
      {"gb200", {10, 10, 10, 10, 10, 9, 9, 6, 1, 1}},
  };
  const std::string found_by_clusters = "rtx5090";
  for (const auto& [name, device, note] : known_devices()) {
    SCOPED_TRACE(name);
    if (name == found_by_clusters) continue;
    const auto found = tpcs_per_gpc.find(name);
    if (found == tpcs_per_gpc.end()) {
      EXPECT_TRUE(device.gpc_of_sm.empty()) << "differs from die to die, and is not public";
      continue;
    }
    EXPECT_EQ(device.gpc_of_sm, map_by_rule(found->second));
    EXPECT_THAT(note, AllOf(StartsWith("gpc_of_sm is not measured"),
                            HasSubstr(fmt::format("({})", fmt::join(found->second, ", ")))));
  }
}

/// One B200, as somebody measured it, with a plain grid of one block per SM.
TEST(Devices, TheB200sMapIsThatOfAMeasuredOne) {
  const auto path = shared_file("recordings/b200.jsonl");
  if (!path) GTEST_SKIP() << "recordings without a licence are not in the repository";
  const RecordingSet measured = read_recordings(*path);
  const Device device = find_device("b200");
  EXPECT_EQ(gpcs_of(device), gpcs_of(measured.device));
  EXPECT_EQ(named_order(device, TieBreak::gpc_smallest_first),
            measured.recordings.at(0).facts.at(0).values);
}

/// One die. The rule by which SMs are numbered makes the same of its TPCs; and its cooperative
/// launch of 170 blocks goes GPC by GPC.
TEST(Devices, TheRtx5090sMapIsThatOfTheOneWhoseClustersWereSeen) {
  const Device device = find_device("rtx5090");
  ASSERT_EQ(device.gpc_of_sm.size(), 170U);
  for (int sm = 0; sm < 154; ++sm) EXPECT_EQ(device.gpc_of_sm[sm], sm % 22 / 2) << sm;
  for (int sm = 154; sm < 170; ++sm) EXPECT_EQ(device.gpc_of_sm[sm], 3 + (sm - 154) / 2) << sm;
  EXPECT_EQ(device.gpc_of_sm, map_by_rule({8, 8, 8, 8, 8, 8, 8, 8, 7, 7, 7}));
  EXPECT_EQ(named_order(device, TieBreak::gpc_smallest_first),
            named_order(device, TieBreak::gpc_major));
  const auto file = std::ranges::find(known_devices(), "rtx5090", &DeviceFile::name);
  EXPECT_THAT(file->note, AllOf(HasSubstr("one die"), HasSubstr("differs from die to die")));
}

/// Clusters of 8 that others saw on an H100 SXM: 15 at a time, 12 SMs left over. They told the
/// three below, as the first, the second and the last; here the second is the ninth.
TEST(Devices, TheH100sMapTakesTheClustersThatWereSeen) {
  const Device device = find_device("h100");
  constexpr int size = 8;
  Kernel kernel = samples::kernel("k", 16 * size, 32);
  kernel.shared = device.max_shared_per_block;
  kernel.cluster = size;
  const Observation seen = predict(device, {}, {"p", {kernel}, {{0, {}}}});
  const std::vector<int>& sms = seen.steps.at(0).started.at(0).sm;
  std::vector<std::vector<int>> clusters;
  for (auto first = sms.begin(); first != sms.end(); first += size) {
    clusters.emplace_back(first, first + size);
  }
  EXPECT_EQ(clusters.size(), 15U);
  EXPECT_EQ(device.sms - sms.size(), 12U);
  EXPECT_THAT(clusters.front(), ElementsAre(0, 1, 16, 17, 32, 33, 48, 49));
  EXPECT_THAT(clusters, Contains(ElementsAre(64, 65, 78, 79, 92, 93, 106, 107)));
  EXPECT_THAT(clusters.back(), ElementsAre(76, 77, 90, 91, 104, 105, 118, 119));
}

TEST(Devices, NumberOfSms) {
  const std::map<std::string, int> expected = {
      {"v100", 80},    {"rtx2080ti", 68}, {"t4", 40},     {"a100", 108},
      {"rtx3090", 82}, {"rtx4090", 128},  {"h100", 132},  {"h200", 132},
      {"b200", 148},   {"b300", 148},     {"gb200", 152}, {"rtx5090", 170},
  };
  for (const auto& [name, sms] : expected) EXPECT_EQ(find_device(name).sms, sms) << name;
}

TEST(Devices, LimitsPerSm) {
  struct Row {
    const char* name;
    const char* architecture;
    int blocks;
    int warps;
    int shared_kib;
  };
  for (const Row& row :
       {Row{"v100", "sm_70", 32, 64, 96}, Row{"t4", "sm_75", 16, 32, 64},
        Row{"a100", "sm_80", 32, 64, 163}, Row{"rtx3090", "sm_86", 16, 48, 99},
        Row{"rtx4090", "sm_89", 24, 48, 99}, Row{"h200", "sm_90", 32, 64, 227},
        Row{"b200", "sm_100", 32, 64, 227}, Row{"b300", "sm_103", 32, 64, 227},
        Row{"gb200", "sm_100", 32, 64, 227}, Row{"rtx5090", "sm_120", 24, 48, 99}}) {
    SCOPED_TRACE(row.name);
    const Device device = find_device(row.name);
    EXPECT_EQ(device.architecture, row.architecture);
    EXPECT_EQ(device.max_blocks_per_sm, row.blocks);
    EXPECT_EQ(device.max_warps_per_sm, row.warps);
    EXPECT_EQ(device.max_shared_per_block, row.shared_kib * kib);
  }
}

TEST(Devices, SharedConfigurations) {
  EXPECT_THAT(find_device("rtx2080ti").shared_configs, ElementsAre(32 * kib, 64 * kib));
  EXPECT_THAT(find_device("rtx3090").shared_configs,
              ElementsAre(0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 100 * kib));
  EXPECT_THAT(find_device("h200").shared_configs,
              ElementsAre(0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 100 * kib, 132 * kib, 164 * kib,
                          196 * kib, 228 * kib));
}

TEST(Devices, ReadsAFileOfTheUsers) {
  Device device = find_device("rtx3090");
  device.name = "half a card";
  device.sms = 40;
  const fs::path path = write_file("half.json", to_json(device).dump());
  EXPECT_EQ(find_device(path.string()), device);
}

TEST(Devices, AFileOfTheUsersMayHaveANote) {
  Json json = to_json(find_device("rtx3090"));
  json["note"] = "which facts are whose";
  EXPECT_EQ(find_device(write_file("noted.json", json.dump()).string()), find_device("rtx3090"));
  json["note"] = 5;
  EXPECT_THAT(refusal(write_file("noted.json", json.dump()).string()),
              HasSubstr("noted.json: note: must be a string, not"));
}

TEST(Devices, AnUnknownNameIsToldTheKnownOnes) {
  EXPECT_THAT(refusal("rtx9999"),
              AllOf(HasSubstr("rtx9999"), HasSubstr("rtx3090"), HasSubstr("b200")));
}

TEST(Devices, ABadFileIsNamed) {
  EXPECT_THAT(refusal("nowhere/to/be/found.json"), HasSubstr("nowhere/to/be/found.json"));
  EXPECT_THAT(refusal(write_file("torn.json", R"({"name": "torn)").string()),
              HasSubstr("torn.json"));
  EXPECT_THAT(refusal(write_file("empty.json", "").string()), HasSubstr("empty.json"));
  EXPECT_THAT(refusal(write_file("comma.json", "{\n\"name\": \"x\",\n\"sms\": ,\n}").string()),
              HasSubstr("unexpected ',' at line 3, column 8"));
}

TEST(Devices, ATpcIsInOneGpc) {
  Device device = find_device("h200");
  std::swap(device.gpc_of_sm[1], device.gpc_of_sm[2]);
  const auto refused = [&] {
    return refusal(write_file("maps.json", to_json(device).dump()).string());
  };
  EXPECT_THAT(refused(), HasSubstr(fmt::format("maps.json: gpc_of_sm[1]: SM 1 is in GPC {}, and SM "
                                               "0 of the same TPC in GPC {}; correct it, or list "
                                               "the TPC of each SM in tpc_of_sm",
                                               device.gpc_of_sm[1], device.gpc_of_sm[0])));
  for (int sm = 0; sm < device.sms; ++sm) device.tpc_of_sm.push_back(sm / 2);
  EXPECT_THAT(refused(), HasSubstr("; correct it, or tpc_of_sm"));
  std::swap(device.tpc_of_sm[1], device.tpc_of_sm[2]);
  EXPECT_EQ(find_device(write_file("maps.json", to_json(device).dump()).string()), device);
}

TEST(Devices, AHostileFileIsRefusedLikeAnyOther) {
  const std::string good = to_json(find_device("rtx3090")).dump();
  const auto refused = [&](const std::string& text) {
    return refusal(write_file("hostile.json", text).string());
  };
  std::string deep;
  for (int i = 0; i < 300'000; ++i) deep += "{\"a\":";
  EXPECT_THAT(refused(deep + "1" + std::string(300'000, '}')), HasSubstr("nested more than"));
  EXPECT_THAT(refused("{\"sms\":1e999," + good.substr(1)), HasSubstr("\"1e999\" at column 8"));
  EXPECT_THAT(refused("{\"sms\":3," + good.substr(1)), HasSubstr("\"sms\" stands twice"));
}

}  // namespace
}  // namespace cuvier
