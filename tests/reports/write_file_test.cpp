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

TEST(WriteFolder, TakesThePlaceOfAnotherHoweverItIsWritten) {
  const samples::Folder folder;
  for (const std::string name : {"kit", "kit/", "./kit/."}) {
    write_folder(folder.path(name), {{"of/" + std::to_string(name.size()), name}});
    EXPECT_EQ(folder.read("kit/of/" + std::to_string(name.size())), name);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("kit/of")), {}), 1) << name;
    EXPECT_FALSE(fs::exists(folder.path("kit.tmp"))) << name;
  }
}

TEST(TemporaryFolders, GoWithAllThatIsInThem) {
  std::string path;
  {
    const TemporaryFolder folder("test", "");
    path = folder.path();
    write_with_folder(path + "/in/file", "text");
    EXPECT_TRUE(fs::exists(path + "/in/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace cuvier
