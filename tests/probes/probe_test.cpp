#include <gtest/gtest.h>

#include "probes/json_fields.h"
#include "probes/probe_json.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using samples::probe_text;
using samples::with;

Probe read(const std::string& text) {
  return probe_from_json(parse_json(text, "p.json"), "p.json");
}

TEST(Probe, IsWrittenAsItIsRead) { EXPECT_EQ(to_json(samples::probe()).dump(), probe_text); }

TEST(Probe, KeepsApartNoClusterAndAClusterOfOne) {
  const Probe without = samples::probe();
  const std::string text = with(probe_text,
                                R"("local":0},)"
                                R"("k1")",
                                R"("local":0,"cluster":1},)"
                                R"("k1")");
  const Probe of_one = read(text);
  EXPECT_EQ(of_one.kernels[0].cluster, 1);
  EXPECT_EQ(of_one.kernels[1].cluster, std::nullopt);
  EXPECT_EQ(to_json(of_one).dump(), text);
  EXPECT_FALSE(same_question(of_one, without));
}

TEST(Probe, KeepsTheOrderOfItsKernels) {
  const Probe probe = samples::probe();
  EXPECT_EQ(probe.kernels[0].name, "k2");
  EXPECT_EQ(probe.kernels[1].name, "k1");
  EXPECT_EQ(probe.find("k1"), 1);
  EXPECT_EQ(probe.find("k9"), std::nullopt);
}

TEST(Probe, ReadsWhatAKernelAsksFor) {
  const Kernel kernel = samples::probe().kernels[1];
  EXPECT_EQ(kernel, (Kernel{"k1", 2, 32, 255, 1024, 8, -1, "s"}));
}

TEST(Probe, TakesMissingNumbersAsZero) {
  const Probe probe = read(
      R"({"name":"p","kernels":{"k":{"blocks":1,"threads":1,"registers":1}},"script":[{"launch":"k"}]})");
  EXPECT_EQ(probe.kernels[0], (Kernel{"k", 1, 1, 1, 0, 0, 0, std::nullopt}));
}

TEST(Probe, SortsTheBlocksOfARelease) {
  const Probe probe = read(with(probe_text, R"({"release":["k2"]})",
                                R"({"release":[{"kernel":"k2","blocks":[3,0,2]},"k1"]})"));
  EXPECT_EQ(probe.script[2].releases, (std::vector<Release>{{0, {0, 2, 3}}, {1, {}}}));
}

TEST(Probe, ReleasesNothingWhereNoBlockIsNamed) {
  for (const char* action : {R"({"release":[{"kernel":"k2","blocks":[]}]})", R"({"release":[]})"}) {
    const Probe probe = read(with(probe_text, R"({"release":["k2"]})", action));
    EXPECT_EQ(probe.script[2], Action{});
    EXPECT_EQ(to_json(probe)["script"][2].dump(), R"({"release":[]})");
    EXPECT_EQ(probe_from_json(to_json(probe), "again"), probe);
  }
}

struct Broken {
  const char* from;
  const char* to;
  const char* message;
};

class BrokenProbe : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenProbe, IsRefused) {
  const std::string text = with(probe_text, GetParam().from, GetParam().to);
  EXPECT_EQ(message_of([&] { read(text); }), std::string("p.json: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Probe, BrokenProbe,
    ::testing::Values(
        Broken{R"("name":"sample",)", "", "name: is missing; add it"},
        Broken{R"("name":"sample")", R"("name":"")", "name: must not be empty"},
        Broken{R"("name":"sample")", R"("name":"sample","facts":[])",
               "facts: is no field here; there are name, kernels, script"},
        Broken{R"("blocks":4)", R"("blocks":0)", "kernels.k2.blocks: 0 is too small; at least 1"},
        Broken{R"("blocks":4)", R"("blocks":3000000000)",
               "kernels.k2.blocks: 3000000000 is too large; at most 1000000000"},
        Broken{R"("blocks":4)", R"("blocks":1000000000)",
               "kernels: have 1000000003 blocks in all; at most 1000000000"},
        Broken{R"("blocks":4,)", "", "kernels.k2.blocks: is missing; add it"},
        Broken{R"("threads":64)", R"("threads":0)",
               "kernels.k2.threads: 0 is too small; at least 1"},
        Broken{R"("threads":64)", R"("threads":64.5)",
               "kernels.k2.threads: must be an integer, not 64.5"},
        Broken{R"("registers":255)", R"("registers":0)",
               "kernels.k1.registers: 0 is too small; at least 1"},
        Broken{R"("shared":1024)", R"("shared":-1)",
               "kernels.k1.shared: -1 is too small; at least 0"},
        Broken{R"("local":8)", R"("local":true)", "kernels.k1.local: must be an integer, not true"},
        Broken{R"("priority":-1)", R"("priority":"high")",
               "kernels.k1.priority: must be an integer, not \"high\""},
        Broken{R"("stream":"s")", R"("stream":1)", "kernels.k1.stream: must be a string, not 1"},
        Broken{
            R"("stream":"s")", R"("streams":"s")",
            "kernels.k1.streams: is no field here; there are blocks, threads, registers, shared, "
            "local, stream, priority, cluster"},
        Broken{R"("stream":"s")", R"("cluster":0)",
               "kernels.k1.cluster: 0 is too small; at least 1"},
        Broken{R"("stream":"s")", R"("cluster":"2")",
               "kernels.k1.cluster: must be an integer, not \"2\""},
        Broken{R"("k2":{)", R"("":{)", "kernels: a kernel has an empty name; give it one"},
        Broken{R"({"launch":"k2"})", R"("k2")", "script[0]: must be an object, not \"k2\""},
        Broken{R"({"launch":"k2"})", R"({})",
               "script[0]: must have either \"launch\" or \"release\""},
        Broken{R"({"launch":"k2"})", R"({"launch":"k2","release":[]})",
               "script[0]: must have either \"launch\" or \"release\""},
        Broken{R"({"launch":"k2"})", R"({"launch":"k2","wait":1})",
               "script[0].wait: is no field here; there are launch, release"},
        Broken{R"({"launch":"k2"})", R"({"launch":"k9"})",
               "script[0].launch: \"k9\" is not among the kernels; declare it there"},
        Broken{R"({"launch":"k1"})", R"({"launch":"k2"})",
               "script[1].launch: \"k2\" is launched twice; declare another kernel like it"},
        Broken{R"({"launch":"k1"})", R"({"release":["k1"]})",
               "script[1].release[0]: \"k1\" is not launched yet; launch it before"},
        Broken{R"(["k2"])", R"("k2")", "script[2].release: must be an array, not \"k2\""},
        Broken{R"(["k2"])", R"(["k2","k2"])",
               "script[2].release[1]: \"k2\" stands twice in one release; name it once"},
        Broken{R"(["k2"])", R"([3])", "script[2].release[0]: must be an object, not 3"},
        Broken{R"(["k2"])", R"([{"kernel":"k2"}])",
               "script[2].release[0].blocks: is missing; add it"},
        Broken{R"("blocks":[1])", R"("blocks":[2])",
               "script[3].release[0].blocks[0]: 2 is too large; at most 1"},
        Broken{R"("blocks":[1])", R"("blocks":[1,0,1])",
               "script[3].release[0].blocks: block 1 stands twice; name it once"},
        Broken{R"("blocks":[1])", R"("blocks":[1],"after":1)",
               "script[3].release[0].after: is no field here; there are kernel, blocks"}));

TEST(Probe, HasAKernelAndAnAction) {
  EXPECT_EQ(message_of([] { read(R"({"name":"p","kernels":{},"script":[]})"); }),
            "p.json: kernels: is empty; declare a kernel");
  EXPECT_EQ(
      message_of([] {
        read(R"({"name":"p","kernels":{"k":{"blocks":1,"threads":1,"registers":1}},"script":[]})");
      }),
      "p.json: script: is empty; launch a kernel");
  EXPECT_EQ(message_of([] { read(R"({"name":"p","kernels":[],"script":[]})"); }),
            "p.json: kernels: must be an object, not an array");
}

/// One kernel, everything but the given numbers harmless.
Kernel kernel_of(int threads, int registers, int shared) {
  return {"k1", 1, threads, registers, shared, 0, 0, std::nullopt};
}

std::string validation(const Kernel& kernel) {
  const Device device = samples::device();
  const std::string message = message_of([&] {
    validate({"p", {kernel}, {{0, {}}}}, device, "rtx.jsonl:3");
  });
  EXPECT_EQ(is_legal(kernel, device), message == "no error") << message;
  return message;
}

TEST(Validate, HoldsAKernelToTheLimits) {
  EXPECT_EQ(validation(kernel_of(1024, 64, 101376)), "no error");
  EXPECT_EQ(validation(kernel_of(32, 300, 0)),
            "rtx.jsonl:3: kernels.k1.registers: 300 is over the device's 255");
  EXPECT_EQ(validation(kernel_of(1025, 32, 0)),
            "rtx.jsonl:3: kernels.k1.threads: 1025 is over the device's 1024");
  EXPECT_EQ(validation(kernel_of(32, 32, 101377)),
            "rtx.jsonl:3: kernels.k1.shared: 101377 is over the device's 101376");
}

TEST(Validate, KnowsTheDriversRegisterRule) {
  // 65 registers round up to 72 a thread, and 32 warps of 72 * 32 exceed the file.
  EXPECT_EQ(validation(kernel_of(1024, 65, 0)),
            "rtx.jsonl:3: kernels.k1: 1024 threads of 65 registers take 73728 registers, over the "
            "device's 65536; lower either");
  // 5 warps count as 8: 8 * 256 * 32 is exactly the file.
  EXPECT_EQ(validation(kernel_of(160, 255, 0)), "no error");
  // 9 warps count as 12.
  EXPECT_EQ(validation(kernel_of(288, 176, 0)),
            "rtx.jsonl:3: kernels.k1: 288 threads of 176 registers take 67584 registers, over the "
            "device's 65536; lower either");
  EXPECT_EQ(validation(kernel_of(288, 168, 0)), "no error");
}

TEST(Validate, HoldsClustersToTheDeviceAndItsGpcs) {
  Device device = samples::device();
  Kernel kernel = kernel_of(32, 32, 0);
  const auto said = [&](int blocks, int cluster) {
    kernel.blocks = blocks;
    kernel.cluster = cluster;
    return message_of([&] { validate({"p", {kernel}, {{0, {}}}}, device, "p"); });
  };
  EXPECT_EQ(said(2, 2), "p: kernels.k1.cluster: four SMs launches no clusters; leave it out");
  device.max_cluster = 8;
  EXPECT_EQ(said(2, 2),
            "p: kernels.k1.cluster: a cluster is placed on one GPC, and four SMs does not give "
            "gpc_of_sm: use a device file that has it");
  device.gpc_of_sm = {0, 0, 1, 0};
  EXPECT_EQ(said(2, 2), "no error");
  EXPECT_EQ(said(3, 1), "no error") << "a cluster of one is a cluster";
  EXPECT_EQ(said(4, 4), "p: kernels.k1.cluster: 4 is no size of a cluster here; 1 to 3 are");
  EXPECT_EQ(said(3, 2), "p: kernels.k1.blocks: 3 is no multiple of the cluster's 2");
  EXPECT_EQ(said(6, 3), "no error") << "no power of two";
  device.max_cluster = 2;
  EXPECT_EQ(said(3, 3), "p: kernels.k1.cluster: 3 is no size of a cluster here; 1 to 2 are");
}

}  // namespace
}  // namespace cuvier
