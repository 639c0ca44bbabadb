// Output that cannot be written is told, and what else there is to do is done.

#include <gmock/gmock.h>

#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const full = "cuvier: cannot write to standard output: No space left on device\n";

class Output : public ::testing::Test {
 protected:
  Output() {
    folder_.write("four.json", samples::device_text);
    folder_.write("probe.json", samples::probe_text);
    folder_.write("mine.jsonl", std::string(R"({"type":"device","source":"me","device":)") +
                                    samples::device_text + "}\n");
  }

  Ended run(const std::string& arguments) { return run_cuvier(folder_, arguments); }

  samples::Folder folder_;
};

TEST_F(Output, OnAFullDiskIsToldByEveryCommand) {
  for (const std::string arguments :
       {"axes", "devices --json", "--help", "check --help", "--version", "check mine.jsonl",
        "predict --device four.json probe.json", "run --oracle sim:four.json probe.json",
        "distinguish bfa round-robin --device four.json"}) {
    const Ended ended = run(arguments + " >/dev/full");
    EXPECT_EQ(ended.exit_code, bad_input) << arguments;
    EXPECT_EQ(ended.err, full) << arguments;
  }
}

TEST_F(Output, ThatIsClosedIsToldBeforeAnythingIsDone) {
  const Ended ended =
      run("infer --oracle sim:four.json --assume algorithm-1 --out out >&- 2>stderr.txt");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_EQ(ended.err, "cuvier: cannot write to standard output: Bad file descriptor\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
}

TEST_F(Output, OfAnInferenceOnAFullDiskIsStillInItsFolder) {
  const Ended ended =
      run("infer --oracle sim:four.json --assume algorithm-1 --max-probes 1 --out out >/dev/full");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_EQ(ended.err, full);
  EXPECT_THAT(folder_.read("out/model.json"), HasSubstr("mechanism"));
}

TEST_F(Output, IntoAPipeThatCloses) {
  const Ended ended = run("axes | head -n 1");
  EXPECT_THAT(ended.out, HasSubstr(" axes; Algorithm 1's value comes first"));
  EXPECT_THAT(ended.err, IsEmpty());
}

TEST_F(Output, ErrorsThatNobodyReadsKeepTheirExitCode) {
  EXPECT_EQ(run("predict --device t4 nowhere.json 2>&-").exit_code, bad_input);
}

TEST_F(Output, FilesAreTriedBeforeTheWorkIsDone) {
  folder_.write("facts.jsonl", folder_.read("mine.jsonl"));
  for (const std::string arguments :
       {"audit facts.jsonl --page no/p.md",
        "distinguish bfa round-robin --device four.json --out no/p.json",
        "minimize probe.json --between bfa round-robin --device four.json --out no/p.json"}) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.exit_code, bad_input);
    EXPECT_THAT(ended.err,
                HasSubstr("cannot be written: No such file or directory; make its folder or "
                          "name another\n"));
    EXPECT_THAT(ended.out, IsEmpty());
  }
  std::filesystem::create_directory(folder_.path("taken"));
  EXPECT_THAT(run("audit facts.jsonl --page taken").err,
              HasSubstr("taken: cannot be written: Is a directory; name a file\n"));
}

TEST_F(Output, IntoAPipeThatHasAName) {
  const Ended ended =
      run("--version; mkfifo p; exec 3<>p; " CUVIER_BINARY
          " distinguish bfa round-robin --device four.json --out p; test -p p && head -n 1 <&3");
  EXPECT_THAT(ended.out, HasSubstr("<- they part"));
  EXPECT_TRUE(ended.out.ends_with("\n{\n")) << ended.out;
}

TEST_F(Output, NamesFilesWhoseNamesAreNoUtf8) {
  folder_.write("\xff.csv", "block,sm\n0,0\n");
  const Ended imported =
      run("import '\xff.csv' --device four.json --threads 32 --registers 32 --out '\xfe.jsonl'");
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(folder_.read("\xfe.jsonl"), HasSubstr("imported from \xef\xbf\xbd.csv"));
  const Ended checked = run("check '\xfe.jsonl' --json");
  EXPECT_EQ(checked.exit_code, ambiguous) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("\"\xef\xbf\xbd.jsonl\""));
}

TEST_F(Output, ADeviceThatIsFullIsTold) {
  std::filesystem::create_symlink("/dev/full", folder_.path("disk"));
  const Ended ended = run("distinguish bfa round-robin --device four.json --out disk");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_THAT(ended.err, HasSubstr("disk: cannot be written: No space left on device"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.path("disk")));
}

TEST_F(Output, AFileThatCannotBeWrittenInTheEndCostsNothingElse) {
  folder_.write(
      "full.sh",
      "ulimit -f 0; trap '' XFSZ\n" CUVIER_BINARY
      " distinguish bfa round-robin --device four.json --out p.json; echo exit code $?\n");
  const Ended ended = run("--version; sh full.sh 2>&1 | cat");
  EXPECT_THAT(ended.out, HasSubstr("<- they part"));
  EXPECT_THAT(ended.out, HasSubstr("cuvier: p.json: cannot be written: File too large"));
  EXPECT_THAT(ended.out, HasSubstr("exit code 2\n"));
}

TEST_F(Output, GoesOverNoInputAndNoOtherOutput) {
  folder_.write("kernels.json", R"({"kernels":{"k":{"blocks":4,"threads":32,"registers":32}}})");
  for (const auto& [arguments, line] :
       {std::pair{"predict --device four.json probe.json --trace ./probe.json",
                  "--trace: \"./probe.json\" is PROBE.json, too; name another file"},
        std::pair{"run --oracle sim:four.json,bfa probe.json --trace four.json",
                  "--trace: \"four.json\" is --oracle, too; name another file"},
        std::pair{"fits kernels.json --device four.json --probe new --sarif new",
                  "--probe: \"new\" is --sarif, too; name another file"}}) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.exit_code, bad_input) << arguments;
    EXPECT_EQ(ended.err, std::string("cuvier: ") + line + '\n');
  }
  EXPECT_EQ(folder_.read("four.json"), samples::device_text);
  EXPECT_EQ(folder_.read("probe.json"), samples::probe_text);
  const std::string fits = "fits kernels.json --device four.json ";
  EXPECT_EQ(run(fits + "--probe /dev/null --sarif /dev/null").exit_code, 0);
}

TEST_F(Output, IsOneLineWhereMemoryDoesNotSuffice) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer takes more than any limit";
#endif
  folder_.write("many.json",
                samples::with(samples::probe_text, R"("blocks":4)", R"("blocks":900000000)"));
  const Ended ended = run_script(
      folder_, "ulimit -v 1500000\n" CUVIER_BINARY " predict --device four.json many.json");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_EQ(ended.err,
            "cuvier: there is not enough memory for this; ask for fewer blocks or kernels\n");
}

}  // namespace
}  // namespace cuvier
