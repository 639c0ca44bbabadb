#include "uses/kernel_set.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* ptxas = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z7workersPf' for 'sm_86'
ptxas info    : Function properties for _Z7workersPf
    48 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 48 bytes cumulative stack size, 1024 bytes smem, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z10schedulersPi' for 'sm_86'
ptxas info    : Function properties for _Z10schedulersPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 18 registers, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z7workersPf' for 'sm_90'
ptxas info    : Function properties for _Z7workersPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 99 registers, 360 bytes cmem[0]
)";

class KernelSetTest : public ::testing::Test {
 protected:
  std::vector<Kernel> read(const std::string& kernels, const CompilerReport& report = {}) {
    return kernels_from_json(parse_json(R"({"kernels":{)" + kernels + "}}", "k.json"), device_,
                             report, "k.json")
        .kernels;
  }
  std::string complaint(const std::string& kernels, const CompilerReport& report = {}) {
    return message_of([&] { read(kernels, report); });
  }
  CompilerReport reported(const char* text) {
    CompilerReport report("sm_86");
    report.read(text, "report.txt");
    return report;
  }

  const Device device_ = samples::device();
};

TEST_F(KernelSetTest, IsReadAsInAProbe) {
  const auto kernels = read(R"("a":{"blocks":2,"threads":64,"registers":32,"shared":128})");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "a");
  EXPECT_EQ(kernels[0].shared, 128);
  const auto local = [&](const std::string& bytes) {
    return read(R"("a":{"blocks":2,"threads":64,"registers":32,"local":)" + bytes + "}")[0].local;
  };
  EXPECT_EQ(local("1024"), 0);
  EXPECT_EQ(local("1025"), 1025);
}

TEST_F(KernelSetTest, TakesRegistersFromWhatTheCompilerSays) {
  const auto kernels = read(R"("w":{"blocks":2,"threads":64,"entry":"workers","shared":128},)"
                            R"("s":{"blocks":2,"threads":64,"entry":"_Z10schedulersPi"})",
                            reported(ptxas));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].registers, 40);
  EXPECT_EQ(kernels[0].shared, 1152);
  EXPECT_EQ(reported(ptxas).kernels()[0].local, 48);
  EXPECT_EQ(kernels[0].local, 0);  // every context comes with as much
  EXPECT_EQ(kernels[1].registers, 18);
}

TEST_F(KernelSetTest, TellsWhatIsWrongWhere) {
  EXPECT_EQ(
      message_of([&] { kernels_from_json(parse_json("{}", "k.json"), device_, {}, "k.json"); }),
      "k.json: kernels: is missing; add it");
  EXPECT_EQ(complaint(""), "k.json: kernels: is empty; declare a kernel");
  EXPECT_THAT(complaint(R"("a":{"blocks":2,"threads":2048,"registers":32})"),
              HasSubstr("k.json: kernels.a.threads: 2048 is over the device's 1024"));
  EXPECT_THAT(complaint(R"("a":{"blocks":2,"threads":64})"),
              HasSubstr("kernels.a.registers: is missing"));
  EXPECT_THAT(complaint(R"("a":{"blocks":2,"threads":64,"entry":"workers"})"),
              HasSubstr("--kernel-report"));
  EXPECT_THAT(complaint(R"("a":{"blocks":2,"threads":64,"entry":"worker"})", reported(ptxas)),
              HasSubstr("kernels.a.entry: \"worker\" is in no report"));
  EXPECT_THAT(complaint(R"("a":{"blocks":2,"threads":64,"entry":"workers","registers":32})"),
              HasSubstr("leave one of them out"));
  EXPECT_THAT(complaint(R"("a":7)"), HasSubstr("k.json: kernels.a: "));
  EXPECT_THAT(complaint(R"("a":{"blocks":2,"threads":64,"registers":32}},)"
                        R"("resident":{"r":{"blocks":1,"threads":2048,"registers":32})"),
              StartsWith("k.json: resident.r.threads: 2048 is over the device's 1024"));
}

TEST(CompilerReportTest, RefusesWhatIsNone) {
  CompilerReport report("sm_90");
  EXPECT_THAT(message_of([&] { report.read("Makefile:3: recipe failed", "r.txt"); }),
              HasSubstr("r.txt: says nothing of kernels"));
  CompilerReport other("sm_100");
  EXPECT_THAT(message_of([&] { other.read(ptxas, "r.txt"); }),
              HasSubstr("r.txt: has kernels, but none for sm_100"));
}

TEST(CompilerReportTest, RefusesANameOfSeveral) {
  CompilerReport report;
  report.read(
      "Compiling entry function '_Z7workersPf' for 'sm_90'\nUsed 40 registers\n"
      "Compiling entry function '_Z7workersPd' for 'sm_90'\nUsed 50 registers\n",
      "r.txt");
  EXPECT_THAT(message_of([&] { report.find("workers", Place("k.json")); }),
              HasSubstr("several functions, _Z7workersPf and _Z7workersPd"));
}

TEST(CompilerReportTest, TakesNoNameThatEndsAnotherOne) {
  CompilerReport report;
  report.read(
      "Compiling entry function '_Z14gemm_bf16_tilePf' for 'sm_90'\nUsed 40 registers\n"
      "Compiling entry function '_Z7fp4gemmPf' for 'sm_90'\nUsed 50 registers\n",
      "r.txt");
  EXPECT_THAT(message_of([&] { report.find("gemm", Place("k.json")); }),
              HasSubstr("\"gemm\" is in no report"));
  report.read("Compiling entry function '_ZN2ns4gemmEPf' for 'sm_90'\nUsed 60 registers\n",
              "r.txt");
  EXPECT_EQ(report.find("gemm", Place("k.json")).registers, 60);
}

TEST_F(KernelSetTest, SaysHowKernelsAreLaunched) {
  const std::string some = R"(:{"blocks":1,"threads":64,"registers":32)";
  const auto set = [&](const std::string& of_b) {
    return kernels_from_json(
        parse_json(R"({"kernels":{"a")" + some + R"(,"cooperative":true},"b")" + some + of_b +
                       R"(},"c")" + some + R"(,"after":["b"]}}})",
                   "k.json"),
        device_, {}, "k.json");
  };
  const Launching launching = set(R"(,"programmatic_after":["a"])").launching;
  EXPECT_THAT(launching.cooperative, ::testing::ElementsAre(0));
  ASSERT_EQ(launching.edges.size(), 2u);
  EXPECT_EQ(launching.edges[0].once, Precedence::Once::begun);
  EXPECT_EQ(launching.edges[0].earlier, 0);
  EXPECT_EQ(launching.edges[1].once, Precedence::Once::ended);
  EXPECT_EQ(launching.edges[1].later, 2);
  EXPECT_EQ(message_of([&] { set(R"(,"after":["a","d"])"); }),
            R"(k.json: kernels.b.after[1]: "d" is not among the kernels; declare it there)");
  EXPECT_THAT(message_of([&] { set(R"(,"after":["c"])"); }),
              HasSubstr("k.json: kernels.c.after[0]: with this one a kernel comes after itself"));
}

TEST_F(KernelSetTest, GridsAndBlocksHaveUpToThreeDimensions) {
  const Kernel k = read(R"("k":{"blocks":[4,3,2],"threads":[16,8],"registers":32})")[0];
  EXPECT_EQ(k.blocks, 24);
  EXPECT_EQ(k.threads, 128);
  const auto with = [&](const char* blocks, const char* threads) {
    return complaint(
        fmt::format(R"("k":{{"blocks":{},"threads":{},"registers":32}})", blocks, threads));
  };
  EXPECT_THAT(with("[4,70000]", "32"),
              StartsWith("k.json: kernels.k.blocks[1]: 70000 is too large; at most 65535"));
  EXPECT_THAT(with("4", "[2,2,128]"),
              StartsWith("k.json: kernels.k.threads[2]: 128 is too large; at most 64"));
  EXPECT_THAT(with("4", "[64,64]"), HasSubstr("kernels.k.threads: 4096 is over"));
  EXPECT_THAT(with("[]", "32"), HasSubstr("kernels.k.blocks: must be a number, or [x, y, z]"));
  EXPECT_THAT(with("[65535,65535]", "32"), HasSubstr("kernels.k.blocks: is more than"));
}

TEST_F(KernelSetTest, ProbesTakeWhatACompilerReports) {
  const Json json = parse_json(R"({"name":"p","kernels":{"k":{"blocks":2,"threads":64,)"
                               R"("entry":"workers","shared":512}},"script":[{"launch":"k"}]})",
                               "p.json");
  const Kernel k = probe_with_entries(json, device_, reported(ptxas), "p.json").kernels[0];
  EXPECT_EQ(k.registers, 40);
  EXPECT_EQ(k.shared, 1536);
  EXPECT_EQ(k.local, 0);  // every context has that much
  EXPECT_THAT(message_of([&] { probe_with_entries(json, device_, {}, "p.json"); }),
              HasSubstr("p.json: kernels.k.entry: \"workers\" needs a report"));
}

}  // namespace
}  // namespace cuvier
