// What others' tools recorded, imported from the shared folder, is what is known of it.

#include "corpus/imports/imports.h"

#include <gtest/gtest.h>

#include "hypotheses/devices.h"
#include "probes/json_fields.h"
#include "tests/shared_files.h"

namespace cuvier {
namespace {

TEST(Imports, ATableOfClustersIsWhatWasRecordedOfThem) {
  const auto table = shared_file("imports/b200-clusters.csv");
  const auto known = shared_file("recordings/b200-clusters.jsonl");
  if (!table || !known) GTEST_SKIP() << "no shared/imports/b200-clusters.csv";
  const auto imported = import_placements(*table, find_device("b200"), {1, 32, 232448, 1});
  const RecordingSet set = read_recordings(*known);
  int compared = 0;
  for (const Recording& recording : imported) {
    for (const Recording& other : set.recordings) {
      const auto& cluster = recording.probe.kernels[0].cluster;
      if (cluster == 1 || other.probe.kernels[0].cluster != cluster) continue;
      EXPECT_EQ(recording.facts, other.facts) << recording.name();
      ++compared;
    }
  }
  EXPECT_EQ(compared, 4);
}

/// A Quadro K5000: kernels of two streams that fill it, then one behind each.
TEST(Imports, LogsOfACoschedulingTestAreItsScript) {
  std::vector<std::string> logs;
  for (int i = 1; i <= 4; ++i) {
    const auto log =
        shared_file("imports/ospert_2017_figure_4_K5000_log" + std::to_string(i) + ".json");
    if (!log) GTEST_SKIP() << "no shared/imports/ospert_2017_figure_4_K5000_log*.json";
    logs.push_back(*log);
  }
  Device device = find_device("rtx3090");
  device.sms = 8;
  device.gpc_of_sm.clear();
  const Imported found = import_examiner_logs(logs, device, 32);
  ASSERT_EQ(found.recording.probe.script.size(), 6U);
  EXPECT_EQ(found.exact, 4);
  EXPECT_EQ(found.recording.facts[1].values, (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace cuvier
