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
  EXPECT_EQ(ended.out, read_file(CUVIER_SOURCE_DIR "/docs/generated/manual.md"))
      << "docs/remake manual writes it anew";
}

TEST(Manual, WhatFormulasReadInDocsIsWhatIsPrinted) {
  const samples::Folder folder;
  EXPECT_EQ(run_cuvier(folder, "manual --formulas").out,
            read_file(CUVIER_SOURCE_DIR "/docs/generated/formula-names.md"))
      << "docs/remake formula-names writes it anew";
}

TEST(Manual, SchemasInDocsAreWhatIsWritten) {
  const samples::Folder folder;
  std::filesystem::create_directory(folder.path("schemas"));
  ASSERT_EQ(run_cuvier(folder, "manual --schemas schemas").exit_code, 0);
  int schemas = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder.path("schemas"))) {
    const std::string name = file.path().filename();
    EXPECT_EQ(folder.read("schemas/" + name),
              read_file(CUVIER_SOURCE_DIR "/docs/reference/schemas/" + name))
        << "docs/remake schemas writes it anew";
    ++schemas;
  }
  EXPECT_GE(schemas, 6);
}

TEST(Manual, SaysOfAnOptionAllThatHelpSays) {
  const samples::Folder folder;
  const std::string manual = run_cuvier(folder, "manual --markdown").out;
  EXPECT_THAT(manual,
              HasSubstr("\n- `--oracle ORACLE`: The oracle to ask, see below (required)\n"));
  EXPECT_THAT(manual, HasSubstr("\n- `-n N`: How many sequences are to be answered (1000 unless"));
  EXPECT_THAT(manual, HasSubstr("(not with --between, --device)\n"));
}

}  // namespace
}  // namespace cuvier
