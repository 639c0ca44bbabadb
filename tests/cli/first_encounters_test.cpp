// Ten first encounters with the command line, each gone wrong as it does for a newcomer: what went
// wrong and what to do stand in one line.

#include <gmock/gmock.h>

#include "tests/cli/cuvier_test.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FirstEncounter : public CuvierTest {
 protected:
  FirstEncounter() { folder_.write("probe.json", samples::probe_text); }
};

TEST_F(FirstEncounter, ATypoInTheCommand) {
  EXPECT_THAT(complaint("distingish bfa round-robin --device t4"),
              AllOf(HasSubstr("\"distingish\""), HasSubstr("distinguish")));
}

TEST_F(FirstEncounter, ATypoInEachArgument) {
  const struct {
    std::string arguments;
    std::string named;   // what is wrong
    std::string remedy;  // what it could be
  } typos[] = {
      {"predict --devise t4 probe.json", "--devise", "predict --help"},
      {"predict --device rtx309 probe.json", "\"rtx309\"", "rtx3090"},
      {"predict --device t4 --assume que=fifo probe.json", "\"que\"", "queue"},
      {"predict --device t4 --assume queue=lifo probe.json", "\"lifo\"", "skip_ahead"},
      {"predict --device t4 --model bfaa probe.json", "\"bfaa\"", "bfa"},
      {"run --oracle simm:t4 probe.json", "\"simm:t4\"", "sim:DEVICE"},
      {"run --oracle sim:t44 probe.json", "\"t44\"", "t4"},
      {"check --model algoritm-1 mine.jsonl", "mine.jsonl", "No such file"},
      {"infer --oracle sim:t4 --out out --max-probes ten", "\"ten\"", "from 1 to"},
      {"infer --oracle sim:t4 --out out --seed 0x1", "\"0x1\"", "from 0 to"},
      {"infer --oracle sim:t4 --out out --time-limit 5s", "\"5s\"", "seconds"},
      {"distinguish bfa round-robbin --device t4", "\"round-robbin\"", "round-robin"},
      {"verify findings", "findings", "name the --out of an inference"},
  };
  for (const auto& [arguments, named, remedy] : typos) {
    EXPECT_THAT(complaint(arguments), AllOf(HasSubstr(named), HasSubstr(remedy))) << arguments;
  }
}

TEST_F(FirstEncounter, AnArgumentThatIsEmpty) {
  EXPECT_THAT(complaint("predict --device four.json --model '' probe.json"),
              HasSubstr("--model: is empty; give it a value or leave it out"));
  EXPECT_THAT(complaint("predict --device four.json ''"), HasSubstr("PROBE.json: is empty"));
  EXPECT_THAT(complaint("check '' --assume queue=fifo"), HasSubstr("FILE.jsonl: is empty"));
  EXPECT_THAT(complaint("minimize probe.json --between bfa ''"), HasSubstr("--between: is empty"));
}

TEST_F(FirstEncounter, AnArgumentForgotten) {
  EXPECT_THAT(complaint("predict probe.json"), HasSubstr("--device is required"));
  EXPECT_THAT(complaint("run --oracle sim:t4"), HasSubstr("PROBE.json is required"));
  EXPECT_THAT(complaint("verify"), HasSubstr("DIR is required"));
}

TEST_F(FirstEncounter, AFileThatIsNotThere) {
  EXPECT_THAT(complaint("check mine.jsonl"), HasSubstr("mine.jsonl: cannot be opened: No such"));
}

TEST_F(FirstEncounter, AFileOfAnotherKind) {
  EXPECT_THAT(complaint("check probe.json"), HasSubstr("probe.json"));
  folder_.write("lines.json", "{\n\"name\": \"sample\"}\n");
  EXPECT_THAT(
      complaint("check lines.json"),
      HasSubstr("lines.json: is one JSON value over several lines, and a file of recordings has "
                "a JSON object in each line"));
  folder_.write("model.json", "{\n\"schema\": 1, \"mechanism\": {\"queue\": \"fifo\"}}\n");
  EXPECT_THAT(complaint("check model.json"), HasSubstr("(this looks like a model)"));
  folder_.write("out/journal.jsonl", "");
  EXPECT_THAT(complaint("verify out"), HasSubstr("an inference that came to its end"));
  EXPECT_THAT(complaint("predict --device probe.json probe.json"), HasSubstr("is missing; add it"));
  EXPECT_THAT(complaint("predict --device four.json four.json"), HasSubstr("is missing; add it"));
  EXPECT_THAT(complaint("predict --device t4 ."), HasSubstr("Is a directory"));
}

TEST_F(FirstEncounter, AnOracleThatIsNoProgram) {
  const Ended ended = run_cuvier(folder_, "run --oracle exec:cuvier-gppu probe.json");
  EXPECT_EQ(ended.exit_code, oracle_failed);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("not found"), HasSubstr("cuvier: exec:cuvier-gppu: ")));
}

TEST_F(FirstEncounter, AFolderThatIsTaken) {
  folder_.write("out", "");
  EXPECT_THAT(complaint("infer --oracle sim:four.json --out out"), HasSubstr("name another"));
}

TEST_F(FirstEncounter, AFullDisk) {
  const Ended ended = run_cuvier(folder_, "predict --device four.json probe.json >/dev/full");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_EQ(ended.err, "cuvier: cannot write to standard output: No space left on device\n");
}

TEST_F(FirstEncounter, AClosedPipe) {
  const Ended ended = run_cuvier(folder_, "devices | head -n 1");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_THAT(ended.out, HasSubstr("name"));
  EXPECT_EQ(ended.err, "");
}

TEST_F(FirstEncounter, AProbeThatTheDeviceCannotRun) {
  folder_.write("wide.json",
                R"({"name":"wide","kernels":{"k":{"blocks":1,"threads":2048,"registers":32}},)"
                R"("script":[{"launch":"k"}]})");
  EXPECT_THAT(complaint("predict --device t4 wide.json"),
              HasSubstr("wide.json: kernels.k.threads: 2048 is over the device's 1024"));
}

}  // namespace
}  // namespace cuvier
