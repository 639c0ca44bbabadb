#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "tests/cli/cuvier_run.h"

namespace cuvier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(WavesCommand, CountsThemBesideWhatIsThere) {
  const samples::Folder folder;
  folder.write("report.txt", R"(Compiling entry function '_Z4gemmPf' for 'sm_90'
Used 168 registers, 1024 bytes smem
)");
  folder.write("kernels.json",
               R"({"kernels":{"gemm":{"blocks":132,"threads":384,"entry":"gemm","shared":200000}},)"
               R"("reserved_sms":20})");
  const Ended ended =
      run_cuvier(folder, "waves kernels.json --device h100 --kernel-report report.txt --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json gemm = parse_json(ended.out, "stdout")["kernels"]["gemm"];
  EXPECT_EQ(gemm["shared"], 201'024);
  EXPECT_EQ(gemm["at_once"], 112);
  EXPECT_EQ(gemm["waves"], 2);
  EXPECT_EQ(gemm["last_wave"], 20);
}

TEST(WavesCommand, GoByTheModel) {
  const samples::Folder folder;
  folder.write("kernels.json", R"({"kernels":{"a":{"blocks":160,"threads":64,"registers":40}}})");
  const Ended ended =
      run_cuvier(folder, "waves kernels.json --device t4 --model 'admission=blocks < 1' --json");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const Json kernel = parse_json(ended.out, "stdout")["kernels"]["a"];
  EXPECT_EQ(kernel["at_once"], 40);
  EXPECT_EQ(kernel["waves"], 4);
}

TEST(WavesCommand, ShowsAllDigits) {
  const samples::Folder folder;
  folder.write("kernels.json",
               R"({"kernels":{"a":{"blocks":200000001,"threads":1024,"registers":32}}})");
  const Ended ended = run_cuvier(folder, "waves kernels.json --device t4");
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("a: 5,000,001 waves, the last of 1 of 40 blocks (2 % full)\n"));
  EXPECT_THAT(ended.out, HasSubstr(" 200,000,001 "));
}

TEST(WavesCommand, NeedsAPlaceForWhatIsResident) {
  const samples::Folder folder;
  folder.write("kernels.json", R"({"kernels":{"a":{"blocks":1,"threads":64,"registers":32}},)"
                               R"("resident":{"r":{"blocks":165,"threads":1024,"registers":32}}})");
  const Ended ended = run_cuvier(folder, "waves kernels.json --device rtx3090");
  EXPECT_EQ(ended.exit_code, bad_input);
  EXPECT_THAT(ended.err, AllOf(StartsWith("cuvier: kernels.json: resident: "),
                               HasSubstr("has no place for all of these blocks; list fewer\n")));
}

}  // namespace
}  // namespace cuvier
