#include "probes/gpu/shared_configs.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/runner/simulated_device.h"
#include "tests/samples.h"

namespace cuvier::gpu {
namespace {

/// A file of recordings may be of a device that can do more.
TEST(SharedConfigs, LeaveOutWhatCannotBeRunHere) {
  const samples::Folder folder;
  const auto recording = [](int threads) {
    const std::string number = std::to_string(threads);
    return R"({"type":"recording","name":"of )" + number +
           R"(","kernels":{"k":{"blocks":1,"threads":)" + number +
           R"(,"registers":32}},"script":[{"launch":"k"}],"facts":[]})" + "\n";
  };
  const std::string path =
      folder.write("asked.jsonl", R"({"type":"device","source":"a test","device":)" +
                                      std::string(samples::device_text) + "}\n" + recording(32) +
                                      recording(1024) + recording(64));
  Device here = samples::device();
  here.max_threads_per_block = 512;
  SimulatedDevice device(here, {});
  std::ostringstream out;
  std::ostringstream log;
  write_shared_configs(device, "a simulator", path, {}, out, log);
  EXPECT_EQ(log.str(),
            "cuvier-gpu: " + path + ":3: kernels.k.threads: 1024 is over the device's 512\n");
  const RecordingSet told = read_recordings(folder.write("told.jsonl", out.str()));
  EXPECT_EQ(told.source, "a simulator");
  ASSERT_EQ(told.recordings.size(), 2U);
  EXPECT_EQ(told.recordings[0].name(), "of 32");
  EXPECT_EQ(told.recordings[1].name(), "of 64");
}

}  // namespace
}  // namespace cuvier::gpu
