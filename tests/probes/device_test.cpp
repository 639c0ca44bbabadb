#include <gtest/gtest.h>

#include "probes/device_json.h"
#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::device_text;
using samples::message_of;
using samples::with;

std::string read_message(const std::string& text) {
  return message_of([&] { device_from_json(parse_json(text, "d.json"), "d.json"); });
}

TEST(Device, IsWrittenAsItIsRead) { EXPECT_EQ(to_json(samples::device()).dump(), device_text); }

TEST(Device, KeepsItsMapsAsTheyAreLabelled) {
  const std::string text =
      with(device_text, R"("max_resident_kernels":128)",
           R"("max_resident_kernels":128,"gpc_of_sm":[3,1,3,1],"tpc_of_sm":[0,1,1,0])");
  const Device device = device_from_json(parse_json(text, "d"), "d");
  EXPECT_EQ(device.gpc_of_sm, (std::vector<int>{3, 1, 3, 1}));
  EXPECT_EQ(device.tpc_of(3), 0);
  EXPECT_EQ(to_json(device).dump(), text);
}

TEST(Device, LaunchesClustersNoLargerThanItsGpcs) {
  const auto largest = [](const std::string& fields) {
    const std::string text = with(device_text, R"("max_resident_kernels":128)",
                                  R"("max_resident_kernels":128)" + fields);
    const Device device = device_from_json(parse_json(text, "d"), "d");
    EXPECT_EQ(to_json(device).dump(), text);
    return device.largest_cluster();
  };
  EXPECT_EQ(largest(R"(,"max_cluster":8,"gpc_of_sm":[1,1,1,0])"), 3);
  EXPECT_EQ(largest(R"(,"max_cluster":2,"gpc_of_sm":[1,1,1,1])"), 2);
  EXPECT_EQ(largest(R"(,"max_cluster":8)"), 0) << "nobody knows what is on one GPC";
  EXPECT_EQ(largest(R"(,"gpc_of_sm":[1,1,1,1])"), 0);
}

TEST(Device, NeedsNoNumberOfResidentKernels) {
  const std::string text = with(device_text, R"(,"max_resident_kernels":128)", "");
  EXPECT_EQ(device_from_json(parse_json(text, "d"), "d"), samples::device());
}

TEST(Device, SaysWhereInADocumentItStands) {
  EXPECT_EQ(message_of([] { device_from_json(Json::object(), "rtx.jsonl:1", "device"); }),
            "rtx.jsonl:1: device.name: is missing; add it");
}

struct FaultyDevice {
  const char* from;
  const char* to;
  const char* message;
};

class BrokenDevice : public ::testing::TestWithParam<FaultyDevice> {};

TEST_P(BrokenDevice, IsRefused) {
  EXPECT_EQ(read_message(with(device_text, GetParam().from, GetParam().to)),
            std::string("d.json: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Device, BrokenDevice,
    ::testing::Values(
        FaultyDevice{R"("sms":4,)", "", "sms: is missing; add it"},
        FaultyDevice{R"("sms":4)", R"("sms":"4")", "sms: must be an integer, not \"4\""},
        FaultyDevice{R"("sms":4)", R"("sms":4.0)", "sms: must be an integer, not 4.0"},
        FaultyDevice{R"("sms":4)", R"("sms":[4])", "sms: must be an integer, not an array"},
        FaultyDevice{R"("sms":4)", R"("sms":null)", "sms: must be an integer, not null"},
        FaultyDevice{R"("sms":4)", R"("sms":0)", "sms: 0 is too small; at least 1"},
        FaultyDevice{R"("sms":4)", R"("sms":-4)", "sms: -4 is too small; at least 1"},
        FaultyDevice{R"("sms":4)", R"("sms":99999999999)",
                     "sms: 99999999999 is too large; at most 4096"},
        FaultyDevice{R"("sms":4)", R"("sms":18446744073709551615)",
                     "sms: 18446744073709551615 is too large; at most 4096"},
        FaultyDevice{R"("name":"four SMs")", R"("name":7)", "name: must be a string, not 7"},
        FaultyDevice{R"("name":"four SMs")", R"("name":"")", "name: must not be empty"},
        FaultyDevice{R"("sm_86")", R"("ampere")",
                     "architecture: \"ampere\" is none; write it like \"sm_86\""},
        FaultyDevice{R"("subpartitions":4)", R"("subpartitions":2)",
                     "subpartitions: must be 4: the scheduler is defined for no other number"},
        FaultyDevice{R"("max_warps_per_sm":48)", R"("max_warps_per_sm":50)",
                     "max_warps_per_sm: 50 is no multiple of the 4 subpartitions"},
        FaultyDevice{
            R"("max_warps_per_sm":48)", R"("max_warps_per_sm":16)",
            "max_threads_per_block: 1024 is over the 512 threads that max_warps_per_sm allows"},
        FaultyDevice{"[0,8192,102400]", "[]",
                     "shared_configs: must list at least one size in bytes, ascending"},
        FaultyDevice{"[0,8192,102400]", "[0,8192,8192]",
                     "shared_configs: must list at least one size in bytes, ascending"},
        FaultyDevice{"[0,8192,102400]", "[0,-1]", "shared_configs[1]: -1 is too small; at least 0"},
        FaultyDevice{"[0,8192,102400]", "{}", "shared_configs: must be an array, not an object"},
        FaultyDevice{"101376", "102401",
                     "max_shared_per_block: 102401 is over the largest of shared_configs, 102400"},
        FaultyDevice{R"("sms":4)", R"("sms":4,"gpc_of_sm":[0,0])",
                     "gpc_of_sm: has 2 entries for 4 SMs; list one for each SM"},
        FaultyDevice{R"("sms":4)", R"("sms":4,"tpc_of_sm":[0,0,1,9])",
                     "tpc_of_sm[3]: 9 is too large; at most 3"},
        FaultyDevice{
            R"("sms":4)", R"("sms":4,"smx":5)",
            "smx: is no field here; there are name, architecture, sms, sms_per_tpc, "
            "subpartitions, max_blocks_per_sm, max_warps_per_sm, max_threads_per_block, "
            "max_registers_per_thread, registers_per_sm, shared_configs, max_shared_per_block, "
            "max_resident_kernels, max_cluster, gpc_of_sm, tpc_of_sm"},
        FaultyDevice{R"("sms":4)", R"("sms":4,"max_cluster":32)",
                     "max_cluster: 32 is too large; at most 16"}));

TEST(Device, IsAnObject) {
  EXPECT_EQ(read_message("[]"), "d.json: must be an object, not an array");
}

}  // namespace
}  // namespace cuvier
