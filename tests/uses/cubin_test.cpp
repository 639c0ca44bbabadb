#include "uses/compiler_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string cubin(const std::string& architecture) {
  return read_file(CUVIER_SOURCE_DIR "/tests/uses/cubins/kernels_" + architecture + ".cubin");
}

std::vector<std::string> told(const std::string& file) {
  std::vector<std::string> lines;
  for (const ReportedKernel& kernel : kernels_of_cubin(file, "k.cubin")) {
    lines.push_back(fmt::format("{} {} {} {} {}", kernel.entry, kernel.architecture,
                                kernel.registers, kernel.shared, kernel.local));
  }
  return lines;
}

/// As ptxas said when it wrote them. In an sm_90's file the runtime's 1,024 bytes are counted, too.
TEST(Cubin, SaysWhatTheCompilerSaid) {
  EXPECT_THAT(told(cubin("sm_80")),
              UnorderedElementsAre("plain sm_80 8 0 0", "_Z6sharesPi sm_80 10 1200 0",
                                   "_Z6stacksPii sm_80 32 0 400"));
  EXPECT_THAT(told(cubin("sm_90")),
              UnorderedElementsAre("plain sm_90 10 0 0", "_Z6sharesPi sm_90 10 1200 0",
                                   "_Z6stacksPii sm_90 32 0 400"));
}

TEST(Cubin, IsAReportOfTheCompiler) {
  CompilerReport report("sm_90");
  report.read(cubin("sm_90"), "k.cubin");
  EXPECT_EQ(report.find("shares", Place("k.json")).shared, 1200);
  EXPECT_THAT(message_of([&] { report.read(cubin("sm_80"), "k.cubin"); }),
              HasSubstr("k.cubin: has kernels, but none for sm_90"));
}

TEST(Cubin, IsRefusedWhereItIsCutOff) {
  const std::string whole = cubin("sm_90");
  // But for its program headers, which are last.
  for (std::size_t size = 4; size < whole.size() - 300; size += 97) {
    const std::string complaint = message_of([&] { told(whole.substr(0, size)); });
    EXPECT_THAT(complaint, EndsWith(": is cut off")) << size;
  }
}

TEST(Cubin, IsRefusedWhereItsFormIsAnother) {
  const auto complaint = [](std::size_t offset, char byte) {
    std::string changed = cubin("sm_90");
    changed[offset] = byte;
    return message_of([&] { told(changed); });
  };
  EXPECT_THAT(complaint(8, 9), HasSubstr("for which architecture it is"));  // the version
  EXPECT_THAT(complaint(18, 62), HasSubstr("k.cubin: is a program; `cuobjdump -xelf all k.cubin`"));
  std::string without = cubin("sm_90");
  const std::string registers("\x04\x2f\x08\x00", 4);
  without[without.find(registers) + 1] = 0x7f;
  EXPECT_THAT(message_of([&] { told(without); }), HasSubstr("how many registers"));
}

}  // namespace
}  // namespace cuvier
