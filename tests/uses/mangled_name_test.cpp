#include "uses/mangled_name.h"

#include <gmock/gmock.h>

#include <string>

namespace cuvier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(MangledName, IdentifiersGoByTheirLengths) {
  EXPECT_THAT(identifiers_of("_Z14gemm_bf16_tilePf"), ElementsAre("gemm_bf16_tile"));
  EXPECT_THAT(identifiers_of("_Z7fp4gemmPf"), ElementsAre("fp4gemm"));
  EXPECT_THAT(identifiers_of("_ZL4gemmPf"), ElementsAre("gemm"));
  EXPECT_THAT(identifiers_of("_ZN2ns12_GLOBAL__N_14gemmEPfRKNS_6ParamsE"),
              ElementsAre("ns", "_GLOBAL__N_1", "gemm", "Params"));
  EXPECT_THAT(identifiers_of("plain"), IsEmpty());
}

TEST(MangledName, OtherNumbersAreNoLengths) {
  // gemm<128, true, (Kind)3, -1, &less>(int (&)[10], ns::V4, S_0)
  EXPECT_THAT(identifiers_of("_Z4gemmILi128ELb1EL4Kind3ELin1EXadL_Z4lessiiEEEvRA10_iN2ns2V4ES0_"),
              ElementsAre("gemm", "Kind", "less", "ns", "V4"));
  // gemm<ns::Kind{3}, Pair<T0, T1>, a lambda in run()>(T2, a vector of 4 floats, _Float16)
  EXPECT_THAT(identifiers_of("_Z4gemmILN2ns4KindE3E4PairIT_T0_EZ3runvEUlfE0_EvT1_Dv4_fDF16_4Last"),
              ElementsAre("gemm", "ns", "Kind", "Pair", "run", "Last"));
}

TEST(MangledName, MayBeOfAnyLengthOrNone) {
  std::string types;
  for (int i = 0; i < 10'000; ++i) types += "N7cutlass4archILi128EEE";
  EXPECT_THAT(identifiers_of("_Z4gemmIJ" + types + "EEv4Last"), Contains("Last"));
  EXPECT_THAT(identifiers_of("_Z99gemm"), ElementsAre("gemm"));
  EXPECT_THAT(identifiers_of("_Z99999999999999999999gemm"), Not(Contains("ge")));
  for (const char* const cut : {"_Z", "_ZN", "_ZE", "_ZS", "_Z1", "_ZDv", "_ZUl", "_ZIL_Z"}) {
    EXPECT_THAT(identifiers_of(cut), Not(Contains("gemm"))) << cut;
  }
}

}  // namespace
}  // namespace cuvier
