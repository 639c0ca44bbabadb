// Whether persistent kernels fit, as a test of somebody else's: exits with 0 if they always do.

#include "uses/fits/fits.h"

#include <cstdio>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"

int main() {
  using namespace cuvier;
  const std::vector<Kernel> kernels = {
      {.name = "workers", .blocks = 128, .threads = 256, .registers = 64, .shared = 218112},
      {.name = "schedulers", .blocks = 20, .threads = 128, .registers = 32, .shared = 16384}};
  const Hypothesis model = hypothesis_from_text("b200-as-recorded");
  const Fits answer = fits(find_device("b200"), {model}, {kernels});
  std::puts(answer.reason.c_str());
  return answer.verdict == Fits::Verdict::always ? 0 : 1;
}
