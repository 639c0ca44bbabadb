#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulator.h"
#include "probes/family.h"
#include "reports/model/model_report.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

/// What an exported header stands for.
struct Exported {
  const char* device;
  const char* model;
};

constexpr Exported kExported[] = {
    {"rtx3090", "algorithm-1"},
    {"rtx3090", "rtx3090-as-recorded"},
    {"rtx3090", "gpgpu-sim"},
    {"h200", "cluster_gpc=most_room,cluster_wait=passed"},
    {"rtx3090", "selection=(warps + blocks, -sm),pointer_skip=next + w / 3,runtime_shared=128 * w"},
    {"rtx3090", "pointer_skip=next - w,dispatch_batch=left > 3 * sms"},
};
constexpr int kProbes = 400;

/// Reads probes as numbers and prints what starts, a line for each step. Each model's header is in
/// a namespace of its own.
constexpr const char* const kProgram = R"(
#include <cstdio>
template <class Gpu, class Kernel, class Release>
void answer() {
  int kernels, steps;
  if (std::scanf("%d %d", &kernels, &steps) != 2) std::abort();
  std::vector<Kernel> known(kernels);
  for (Kernel& k : known) {
    int stream, cluster;
    if (std::scanf("%d %d %d %d %d %d %d %d", &k.blocks, &k.threads, &k.registers, &k.shared,
                   &k.local, &k.priority, &stream, &cluster) != 8) std::abort();
    if (stream >= 0) k.stream = std::to_string(stream);
    if (cluster >= 0) k.cluster = cluster;
  }
  Gpu gpu;
  std::vector<int> number_of(kernels), kernel_of;
  for (int step = 0; step < steps; ++step) {
    int count;
    if (std::scanf("%d", &count) != 1) std::abort();
    if (count < 0) {
      number_of[-count - 1] = gpu.launch(known[-count - 1]);
      kernel_of.push_back(-count - 1);
    } else {
      std::vector<Release> releases(count);
      for (Release& release : releases) {
        int k, blocks;
        if (std::scanf("%d %d", &k, &blocks) != 2) std::abort();
        release.kernel = number_of[k];
        release.blocks.resize(blocks);
        for (int& block : release.blocks) {
          if (std::scanf("%d", &block) != 1) std::abort();
        }
      }
      gpu.release(releases);
    }
    for (int k = 0; k < kernels; ++k) {
      for (const auto& start : gpu.started()) {
        if (kernel_of[start.kernel] != k) continue;
        std::printf("%d:%d@%d", k, start.block, start.sm);
        for (const int warp : start.subpartitions) std::printf("/%d", warp);
        std::printf(" ");
      }
    }
    std::printf("\n");
  }
}
int main() {
  int model;
  while (std::scanf("%d", &model) == 1) {
    switch (model) {
)";

std::string numbers_of(const Probe& probe) {
  std::map<std::string, int> streams;
  std::string text = fmt::format("{} {}\n", probe.kernels.size(), probe.script.size());
  for (const Kernel& k : probe.kernels) {
    const int next = static_cast<int>(streams.size());
    const int stream = k.stream ? streams.try_emplace(*k.stream, next).first->second : -1;
    text += fmt::format("{} {} {} {} {} {} {} {}\n", k.blocks, k.threads, k.registers, k.shared,
                        k.local, k.priority, stream, k.cluster.value_or(-1));
  }
  for (const Action& action : probe.script) {
    if (action.launch) {
      text += fmt::format("{}\n", -1 - *action.launch);
      continue;
    }
    text += fmt::format("{}", action.releases.size());
    for (const Release& release : action.releases) {
      text += fmt::format(" {} {}", release.kernel, release.blocks.size());
      for (const int block : release.blocks) text += fmt::format(" {}", block);
    }
    text += '\n';
  }
  return text;
}

std::string lines_of(const Observation& observation) {
  std::string text;
  for (const Step& step : observation.steps) {
    for (const Started& started : step.started) {
      for (std::size_t i = 0; i < started.block.size(); ++i) {
        text += fmt::format("{}:{}@{}", started.kernel, started.block[i], started.sm[i]);
        for (const int warp : started.warp_slot[i]) text += fmt::format("/{}", warp);
        text += ' ';
      }
    }
    text += '\n';
  }
  return text;
}

/// Compiled with nothing of ours on its include path.
TEST(ModelHeader, AnswersAsPredictedWithTheStandardLibraryAlone) {
  const samples::Folder folder;
  std::string program;
  std::string cases;
  std::string questions;
  std::string expected;
  Rng rng(20);
  for (std::size_t m = 0; m < std::size(kExported); ++m) {
    const Device device = find_device(kExported[m].device);
    const Hypothesis model = hypothesis_from_text(kExported[m].model);
    folder.write(fmt::format("m{}.h", m), model_header(device, model));
    program += fmt::format("#define CUVIER_MODEL m{0}\n#include \"m{0}.h\"\n", m);
    cases += fmt::format("case {0}: answer<m{0}::Gpu, m{0}::Kernel, m{0}::Release>(); break;\n", m);
    const auto families = probe_families(device);
    for (int i = 0; i < kProbes; ++i) {
      const Probe probe = families[i % families.size()].draw(device, rng);
      questions += fmt::format("{} {}", m, numbers_of(probe));
      expected += lines_of(predict(device, model, probe));
    }
  }
  folder.write("ask.cpp", program + kProgram + cases + "}\n}\n}\n");
  folder.write("questions.txt", questions);
  const std::string command = fmt::format(
      "cd '{}' && {} -std=c++20 -O1 -Wall -Wextra -Werror ask.cpp -o ask 2>errors.txt && "
      "./ask <questions.txt >answers.txt",
      folder.path(""), CUVIER_CXX);
  ASSERT_EQ(std::system(command.c_str()), 0) << folder.read("errors.txt");
  EXPECT_TRUE(folder.read("answers.txt") == expected);
}

}  // namespace
}  // namespace cuvier
