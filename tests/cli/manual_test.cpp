#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

TEST(Manual, TheOneInDocsIsWhatIsPrinted) {
  const samples::Folder folder;
  const Ended ended = run_cuvier(folder, "manual --markdown");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, read_file(CUVIER_SOURCE_DIR "/docs/manual.md"))
      << "docs/remake manual writes it anew";
}

TEST(Manual, SchemasInDocsAreWhatIsPrinted) {
  const samples::Folder folder;
  for (const std::string name :
       {"decisions", "device", "kernels", "probe", "recordings-line", "workload"}) {
    EXPECT_EQ(run_cuvier(folder, "manual --schema " + name).out,
              read_file(CUVIER_SOURCE_DIR "/docs/schemas/" + name + ".schema.json"))
        << "docs/remake schemas writes it anew";
  }
}

TEST(Manual, SaysOfAnOptionAllThatHelpSays) {
  const samples::Folder folder;
  const std::string manual = run_cuvier(folder, "manual --markdown").out;
  EXPECT_THAT(manual, HasSubstr("\n- `--oracle ORACLE`: Who is asked, see below (required)\n"));
  EXPECT_THAT(manual, HasSubstr("\n- `-n N`: How many sequences are to be answered (1000 unless"));
  EXPECT_THAT(manual, HasSubstr("(not with --between, --device)\n"));
}

}  // namespace
}  // namespace cuvier
