#include "reports/document/write_file.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/samples.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

using samples::message_of;
using ::testing::HasSubstr;

/// As /dev/stdout is, where a shell sent that to a file.
TEST(WriteFile, WritesWhereALinkLeads) {
  const samples::Folder folder;
  folder.write("file", "what was there");
  const std::string link = folder.path("link");
  fs::create_symlink("file", link);
  expect_writable(link);
  EXPECT_EQ(folder.read("file"), "what was there");
  write_file(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(folder.read("file"), "new");
  EXPECT_FALSE(fs::exists(link + ".tmp"));
}

TEST(WriteFile, SaysBeforehandThatALinkLeadsNowhere) {
  const samples::Folder folder;
  fs::create_symlink("nowhere/file", folder.path("link"));
  EXPECT_THAT(message_of([&] { expect_writable(folder.path("link")); }),
              HasSubstr("link: cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace cuvier
