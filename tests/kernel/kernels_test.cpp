#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "probes/gpu/kernel_table.h"

namespace cuvier::gpu {
namespace {

using ::testing::IsEmpty;

/// What ptxas says of one gated kernel.
struct Report {
  int claimed_registers = 0;
  int claimed_local = 0;
  int registers = 0;
  int stack = 0;
  int spill_stores = 0;
  int spill_loads = 0;
  int shared = 0;
};

using Reports = std::map<std::string, std::vector<Report>>;  ///< by architecture

std::filesystem::path report_file(const std::string& source) {
  return std::filesystem::path(CUVIER_KERNEL_REPORTS) / (source + ".report");
}

/// Reads the compiler's own words, three lines a kernel.
Reports read_reports() {
  static const std::regex entry(
      R"(.*entry function '\w*?gated(?:_frame)?ILi(\d+)E(?:Li(\d+)E)?\w*' for '(\w+)'.*)");
  static const std::regex memory(
      R"(\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*)");
  static const std::regex used(R"(.*Used (\d+) registers(?:.*?, (\d+) bytes smem)?.*)");
  Reports reports;
  for (const char* source : {"register_kernels.cu", "frame_kernels.cu"}) {
    std::ifstream file(report_file(source));
    Report* now = nullptr;
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      const auto number = [&](int group) {
        return match[group].matched ? std::stoi(match[group]) : 0;
      };
      if (std::regex_match(line, match, entry)) {
        now = &reports[match[3]].emplace_back();
        now->claimed_registers = number(1);
        now->claimed_local = number(2);
      } else if (now && std::regex_match(line, match, memory)) {
        now->stack = number(1);
        now->spill_stores = number(2);
        now->spill_loads = number(3);
      } else if (now && std::regex_match(line, match, used)) {
        now->registers = number(1);
        now->shared = number(2);
      }
    }
  }
  return reports;
}

class Kernels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(report_file("register_kernels.cu"))) {
      GTEST_SKIP() << "no CUDA compiler was found, so no kernel was built";
    }
    reports_ = read_reports();
  }
  Reports reports_;
};

TEST_F(Kernels, AreReportedForEveryArchitectureAskedFor) {
  std::istringstream architectures(CUVIER_CUDA_ARCHITECTURES);
  for (std::string architecture; architectures >> architecture;) {
    EXPECT_TRUE(reports_.contains(architecture)) << architecture;
  }
}

TEST_F(Kernels, UseExactlyTheRegistersThatTheyClaimAndNeverSpill) {
  for (const auto& [architecture, kernels] : reports_) {
    std::vector<std::string> faults;
    for (const Report& kernel : kernels) {
      if (kernel.registers == kernel.claimed_registers && kernel.stack == kernel.claimed_local &&
          kernel.spill_stores == 0 && kernel.spill_loads == 0 && kernel.shared == 0) {
        continue;
      }
      faults.push_back(std::to_string(kernel.claimed_registers) + " registers, " +
                       std::to_string(kernel.claimed_local) + " bytes claimed; " +
                       std::to_string(kernel.registers) + ", " + std::to_string(kernel.stack) +
                       " used, " + std::to_string(kernel.spill_stores) + " spilled");
    }
    EXPECT_THAT(faults, IsEmpty()) << architecture;
  }
}

TEST_F(Kernels, CoverTheTable) {
  std::set<std::pair<int, int>> table;
  for (int registers = kFewestRegisters; registers <= most_registers; ++registers) {
    table.insert({registers, 0});
  }
  for (const int registers : registers_with_local) {
    for (const int bytes : frame_bytes) table.insert({registers, bytes});
  }
  ASSERT_FALSE(reports_.empty());
  for (const auto& [architecture, kernels] : reports_) {
    std::set<std::pair<int, int>> reported;
    for (const Report& kernel : kernels) {
      reported.insert({kernel.claimed_registers, kernel.claimed_local});
    }
    EXPECT_EQ(reported, table) << architecture;
  }
}

}  // namespace
}  // namespace cuvier::gpu
