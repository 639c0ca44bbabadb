#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "probes/rng.h"
#include "tests/shell.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uintmax_t most_of_an_archive = 15 << 20;

/// bench/pack-day.sh, of what a day might have seen.
class PackDay : public testing::Test {
 protected:
  PackDay() { fs::create_directories(out_); }

  void write(const std::string& file, const std::string& text) {
    const fs::path path = seen_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    fs::last_write_time(path, fs::file_time_type() + std::chrono::hours(++written_));
  }

  /// Which no compressor makes smaller.
  std::string noise(int bytes) {
    std::string text;
    while (std::ssize(text) < bytes) {
      for (std::uint64_t word = rng_(), i = 0; i < 8; ++i, word >>= 8) {
        text += static_cast<char>(word);
      }
    }
    return text;
  }

  std::string pack() {
    const Printed printed =
        shell(folder_, "bash " CUVIER_SOURCE_DIR "/bench/pack-day.sh \"$PWD/seen\" \"$PWD/out\"");
    EXPECT_EQ(printed.code, 0) << printed.text;
    return printed.text;
  }

  /// What tar finds in each archive; each must be small enough, and be all that there is.
  std::map<std::string, std::string> archives() {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(out_)) {
      const std::string name = entry.path().filename();
      EXPECT_LE(entry.file_size(), most_of_an_archive) << name;
      const Printed printed = shell(folder_, "tar -tzf out/" + name);
      EXPECT_EQ(printed.code, 0) << name;
      all[name] = printed.text;
    }
    return all;
  }

  /// All archives unpacked into one folder.
  std::string unpacked() {
    fs::remove_all(folder_.path("unpacked"));
    fs::create_directories(folder_.path("unpacked"));
    for (const auto& entry : fs::directory_iterator(out_)) {
      shell(folder_, "tar -C unpacked -xzf out/" + entry.path().filename().string());
    }
    return shell(folder_, "diff -r seen unpacked").text;
  }

  samples::Folder folder_;
  const fs::path seen_ = folder_.path("seen");
  const fs::path out_ = folder_.path("out");
  Rng rng_{1};
  int written_ = 0;
};

TEST_F(PackDay, KeepsEveryArchiveSmallAndTheRandomSequencesApart) {
  const std::string journal = noise(4 << 20);
  for (const char* item : {"random", "order", "clusters", "carve-out", "random-1", "queueing"}) {
    write(std::string("recordings/") + item + "/journal.jsonl", journal);
  }
  write("random.txt", "asked\n");
  write("log.txt", "all went well\n");
  EXPECT_EQ(pack(), "");
  const auto packed = archives();
  EXPECT_EQ(packed.size(), 3U);
  EXPECT_EQ(packed.at("seen.tar.gz"),
            "random.txt\nlog.txt\nrecordings/order/journal.jsonl\n"
            "recordings/clusters/journal.jsonl\nrecordings/carve-out/journal.jsonl\n");
  EXPECT_EQ(packed.at("seen-1.tar.gz"), "recordings/queueing/journal.jsonl\n");
  EXPECT_EQ(packed.at("seen-2.tar.gz"),
            "recordings/random/journal.jsonl\nrecordings/random-1/journal.jsonl\n");
  EXPECT_EQ(unpacked(), "");
}

TEST_F(PackDay, NamesWhatThereIsNoRoomFor) {
  const std::string journal = noise(4 << 20);
  write("recordings/order/journal.jsonl", journal);
  write("infer/journal.jsonl", noise(16 << 20));
  for (int i = 0; i < 10; ++i) {
    write("recordings/random-" + std::to_string(i) + "/journal.jsonl", journal);
  }
  EXPECT_EQ(pack(),
            "pack-day: no room for infer/journal.jsonl (16777216 bytes)\n"
            "pack-day: no room for recordings/random-9/journal.jsonl (4194304 bytes)\n");
  EXPECT_EQ(archives().size(), 4U);
  EXPECT_THAT(unpacked(), HasSubstr("random-9"));
}

TEST_F(PackDay, TakesWhatHasChangedSince) {
  write("log.txt", "one\n");
  write("recordings/order/journal.jsonl", "{}\n");
  pack();
  EXPECT_EQ(unpacked(), "");
  write("log.txt", "one\ntwo\n");
  write("recordings/random/journal.jsonl", "{}\n{}\n");
  pack();
  EXPECT_EQ(unpacked(), "");
  write("log.txt", "six\ntwo\n");  // as long as before
  pack();
  EXPECT_EQ(unpacked(), "");
}

}  // namespace
}  // namespace cuvier
