#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "corpus/store.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::StartsWith;

Recording recording_of(const std::string& name) {
  Probe probe = samples::probe();
  probe.name = name;
  return {probe, facts_of(samples::observation(), probe), true, {}};
}

/// What `call` returns in a process of its own, which it may spoil as it likes.
template <class Call>
std::string in_a_child(Call call) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t pid = ::fork();
  if (pid == 0) {
    const std::string result = call();
    const bool whole = ::write(ends[1], result.data(), result.size()) == ssize_t(result.size());
    ::_exit(whole ? 0 : 1);
  }
  ::close(ends[1]);
  std::string result;
  char chunk[4096];
  for (ssize_t count; (count = ::read(ends[0], chunk, sizeof chunk)) > 0;) {
    result.append(chunk, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return result;
}

class JournalFault : public ::testing::Test {
 protected:
  Journal open() { return Journal(folder_.path(""), samples::device(), "a test"); }
  std::string open_message() {
    return message_of([&] { open(); });
  }
  std::string file() { return folder_.path("journal.jsonl"); }
  std::string text() { return folder_.read("journal.jsonl"); }
  void put(const std::string& text) { folder_.write("journal.jsonl", text); }

  /// The text of a journal of two recordings.
  std::string sample() {
    {
      Journal journal = open();
      journal.append(recording_of("a"));
      journal.append(recording_of("b"));
    }
    return text();
  }

  samples::Folder folder_;
};

TEST_F(JournalFault, RecoversFromALastLineCutAnywhere) {
  const std::string whole = sample();
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size + 1 < whole.size(); size += 7) {
    put(whole.substr(0, size));
    Journal journal = open();
    EXPECT_EQ(journal.recovered_bytes(), size - last);
    EXPECT_EQ(text(), whole.substr(0, last)) << "cut to " << size;
    EXPECT_EQ(journal.recorded().recordings.size(), 1u);
    journal.append(recording_of("c"));
    EXPECT_EQ(read_recordings(file()).recordings.back().name(), "c");
  }
}

TEST_F(JournalFault, KeepsALastLineThatLacksOnlyItsNewline) {
  const std::string whole = sample();
  put(whole.substr(0, whole.size() - 1));
  const Journal journal = open();
  EXPECT_EQ(journal.recovered_bytes(), 0u);
  EXPECT_EQ(journal.recorded().recordings.size(), 2u);
  EXPECT_EQ(text(), whole);
}

TEST_F(JournalFault, RecoversFromAFirstLineCutAnywhere) {
  { open(); }
  const std::string whole = text();
  for (std::size_t size = 0; size + 1 < whole.size(); size += 7) {
    put(whole.substr(0, size));
    EXPECT_EQ(open().recovered_bytes(), size);
    EXPECT_EQ(text(), whole);
  }
}

TEST_F(JournalFault, RecoversFromZerosAfterAPowerCut) {
  const std::string whole = sample();
  put(whole + std::string(4096, '\0'));
  EXPECT_EQ(open().recovered_bytes(), 4096u);
  EXPECT_EQ(text(), whole);
}

TEST_F(JournalFault, NeverTouchesACompleteLineThatIsBroken) {
  const std::string broken = samples::with(sample(), R"("facts":[)", R"("facts":)") + "{\"torn";
  put(broken);
  EXPECT_THAT(open_message(), StartsWith(file() + ":2: not JSON: "));
  EXPECT_EQ(text().substr(0, broken.rfind('\n') + 1), broken.substr(0, broken.rfind('\n') + 1));
}

TEST_F(JournalFault, RefusesAFileThatIsNoJournal) {
  for (const char* other : {"my notes", "{\"type\":\"recording\"}\n", "{}", "\n"}) {
    put(other);
    EXPECT_EQ(open_message(), file() + ":1: is no journal of ours; name another folder");
    EXPECT_EQ(text(), other);
  }
}

TEST_F(JournalFault, RefusesRecordingsThatAreNoSession) {
  const std::string other = samples::with(sample(), R"("session":true,)", "");
  put(other);
  EXPECT_EQ(open_message(),
            file() + ":1: session: must be true in a journal; this one cannot be continued");
  EXPECT_EQ(text(), other);
}

TEST_F(JournalFault, RefusesAnotherDevice) {
  const std::string before = sample();
  Device other = samples::device();
  other.max_blocks_per_sm = 32;
  EXPECT_EQ(message_of([&] { Journal(folder_.path(""), other, "a test"); }),
            file() +
                ":1: is the journal of another device: max_blocks_per_sm is 16 there and 32 "
                "here; name another folder");
  other = samples::device();
  other.gpc_of_sm = {0, 0, 1, 1};
  EXPECT_EQ(message_of([&] { Journal(folder_.path(""), other, "a test"); }),
            file() +
                ":1: is the journal of another device: gpc_of_sm is nothing there and "
                "[0,0,1,1] here; name another folder");
  EXPECT_EQ(text(), before);
}

TEST_F(JournalFault, RefusesASecondWriter) {
  {
    const Journal journal = open();
    const std::string refusal =
        file() + ": another process is writing to it; wait for it or name another folder";
    EXPECT_EQ(open_message(), refusal);
    EXPECT_EQ(in_a_child([&] { return open_message(); }), refusal);
  }
  EXPECT_EQ(open_message(), "no error");
}

TEST_F(JournalFault, WaitsForAWriterThatIsAboutToEnd) {
  auto journal = std::make_unique<Journal>(folder_.path(""), samples::device(), "a test");
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    journal.reset();
  });
  EXPECT_EQ(open_message(), "no error");
  ends.join();
}

TEST_F(JournalFault, RefusesAFolderThatIsAFile) {
  const std::string path = folder_.write("file", "mine");
  EXPECT_EQ(message_of([&] { Journal(path, samples::device(), "a test"); }),
            path + ": cannot be made a folder for the journal: Not a directory; name another");
  EXPECT_EQ(
      message_of([&] { Journal(path + "/below", samples::device(), "a test"); }),
      path + "/below: cannot be made a folder for the journal: Not a directory; name another");
  EXPECT_EQ(folder_.read("file"), "mine");
}

TEST_F(JournalFault, RefusesAJournalThatIsAFolder) {
  ASSERT_EQ(::mkdir(file().c_str(), 0755), 0);
  EXPECT_EQ(open_message(), file() +
                                ": cannot be opened for writing: Is a directory; mend its "
                                "permissions or name another folder");
}

TEST_F(JournalFault, RefusesAFolderThatItMayNotWrite) {
  ASSERT_EQ(::chmod(folder_.path("").c_str(), 0555), 0);
  const std::string message = in_a_child([&] {
    // Permissions bind nobody who is root.
    if (::geteuid() == 0 && ::setuid(65534) != 0) return std::string("still root");
    return open_message();
  });
  ASSERT_EQ(::chmod(folder_.path("").c_str(), 0755), 0);
  EXPECT_EQ(message, file() +
                         ": cannot be opened for writing: Permission denied; mend its "
                         "permissions or name another folder");
}

TEST_F(JournalFault, StaysAsItWasWhereTheDiskIsFull) {
  const std::string before = sample();
  const std::string message = in_a_child([&] {
    Journal journal = open();
    // The limit lets half of the line through: what a full disk does.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 100, before.size() + 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::string messages;
    for (int attempt = 0; attempt < 2; ++attempt) {
      messages = message_of([&] { journal.append(recording_of("c")); });
    }
    return messages;
  });
  EXPECT_EQ(message,
            file() + ": cannot be written: File too large; make room or name another folder");
  EXPECT_EQ(text(), before);
  EXPECT_EQ(open().recovered_bytes(), 0u);
}

TEST_F(JournalFault, LosesNothingThatWasAppendedWhenItsWriterIsKilled) {
  for (const int enough : {0, 1, 2, 5, 9, 14}) {
    std::filesystem::remove(file());
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      Journal journal = open();
      for (int i = 0;; ++i) {  // until it is killed
        journal.append(recording_of(std::to_string(i)));
        if (::write(ends[1], "+", 1) != 1) ::_exit(1);
      }
    }
    ::close(ends[1]);
    char byte;
    std::size_t appended = 0;
    while (static_cast<int>(appended) < enough && ::read(ends[0], &byte, 1) == 1) ++appended;
    ::kill(pid, SIGKILL);
    while (::read(ends[0], &byte, 1) == 1) ++appended;
    ::close(ends[0]);
    int status = 0;
    ::waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));

    Journal journal = open();
    const auto& recordings = journal.recorded().recordings;
    EXPECT_GE(recordings.size(), appended);
    EXPECT_LE(recordings.size(), appended + 1) << "one may have been written but not reported";
    for (std::size_t i = 0; i < recordings.size(); ++i) {
      EXPECT_EQ(recordings[i].name(), std::to_string(i));
    }
    journal.append(recording_of("after"));
    EXPECT_EQ(read_recordings(file()).recordings.size(), recordings.size() + 1);
  }
}

}  // namespace
}  // namespace cuvier
