#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "corpus/recorded_gpus.h"
#include "hypotheses/devices.h"
#include "hypotheses/plausible_models.h"
#include "reports/model/model_report.h"
#include "solver/finding/mismatches.h"
#include "tests/samples.h"
#include "tests/shared_files.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string evidence(const std::string& device, const std::string& model) {
  return evidence_for(find_device(device), hypothesis_from_text(model));
}

TEST(ModelEvidence, SaysWhatTheRecordingsOfTheGpuSay) {
  EXPECT_EQ(evidence("rtx3090", "rtx3090-as-recorded"),
            "explains all 133 facts recorded of this GPU");
  EXPECT_EQ(evidence("rtx3090", "algorithm-1"),
            "contradicted on this GPU: wrong in 30 of 133 facts recorded");
  EXPECT_EQ(evidence("rtx3090", "rtx3090-as-recorded,queue=skip_ahead").substr(0, 12),
            "contradicted");
}

TEST(ModelEvidence, SaysWhereNothingIsKnownOfTheGpu) {
  EXPECT_EQ(evidence("h200", "algorithm-1"),
            "never checked on this GPU; contradicted on 3 others (NVIDIA A100, NVIDIA GeForce RTX "
            "2080 Ti, NVIDIA GeForce RTX 3090)");
  EXPECT_EQ(evidence("h200", "rtx3090-as-recorded"),
            "never checked on this GPU; explains all that was recorded of NVIDIA GeForce RTX 3090; "
            "contradicted on 2 others (NVIDIA A100, NVIDIA GeForce RTX 2080 Ti)");
  EXPECT_EQ(evidence("h200", "b200-as-recorded"),
            "never checked on this GPU; explains all that was recorded of NVIDIA B200");
  EXPECT_THAT(evidence("b200", "b200-as-recorded"), HasSubstr("this GPU: five facts, measured by"));
}

/// The program carries what is in corpus/, and what explains a GPU's recordings is likeliest of it.
TEST(ModelEvidence, IsHeldToTheCorpus) {
  for (const RecordingSet& set : recorded_gpus()) {
    const auto model = recorded_model(set.device);
    ASSERT_TRUE(model) << set.device.name;
    const std::string folder = std::string(model->name).substr(0, model->name.find('-'));
    const RecordingSet file =
        read_recordings(fmt::format("{}/corpus/{}/wilde.jsonl", CUVIER_SOURCE_DIR, folder));
    EXPECT_EQ(set.device, file.device);
    EXPECT_EQ(set.source, file.source);
    ASSERT_EQ(set.recordings.size(), file.recordings.size());
    for (std::size_t i = 0; i < set.recordings.size(); ++i) {
      EXPECT_EQ(set.recordings[i].probe, file.recordings[i].probe);
      EXPECT_EQ(set.recordings[i].facts, file.recordings[i].facts);
      EXPECT_EQ(set.recordings[i].fresh, file.recordings[i].fresh);
    }
    EXPECT_THAT(mismatches(set, model->hypothesis), IsEmpty()) << model->name;
  }
  EXPECT_EQ(recorded_gpus().size(), 3u);
}

/// What has no licence is not in the program: its name says how much there is.
TEST(ModelEvidence, OfAB200IsFiveFacts) {
  std::size_t facts = 0;
  for (const char* name : {"recordings/b200.jsonl", "recordings/b200-clusters.jsonl"}) {
    const auto path = shared_file(name);
    if (!path) GTEST_SKIP() << "recordings without a licence are not in the repository";
    for (const Recording& each : read_recordings(*path).recordings) facts += each.facts.size();
  }
  EXPECT_EQ(facts, 5u);
}

TEST(ModelEvidence, OfAModelFileIsItsInference) {
  const samples::Folder folder;
  const Device device = samples::device();
  const std::string inferred = folder.write(
      "model.json", std::string(R"({"schema":1,"status":"identified","probes":41,"device":)") +
                        samples::device_text + R"(,"mechanism":{"queue":"fifo"}})");
  EXPECT_EQ(evidence_for_file(device, inferred), "inferred: identified, 41 probes");
  EXPECT_EQ(evidence_for_file(find_device("h200"), inferred),
            "never checked on this GPU; inferred: identified, 41 probes of four SMs");
  const std::string plain =
      folder.write("plain.json", R"({"schema":1,"mechanism":{"queue":"fifo"}})");
  EXPECT_EQ(evidence_for_file(device, plain), evidence_for(device, {}));
}

}  // namespace
}  // namespace cuvier
