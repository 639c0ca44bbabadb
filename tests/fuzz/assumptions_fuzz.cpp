// --assume, and a hypothesis in words: what is read can predict, and is said alike.

#include "hypotheses/assumptions.h"
#include "hypotheses/simulator.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const Device device = samples::device();
  const std::string text(fuzz::text_of(data, size));
  fuzz::takes_or_refuses([&] {
    Assumptions assumptions = Assumptions::all(device);
    assumptions.restrict_by(text);
  });
  return fuzz::takes_or_refuses([&] {
    const Hypothesis hypothesis = hypothesis_from_text(text);
    fuzz::expect(hypothesis_from_text(describe(hypothesis)) == hypothesis);
    predict(device, hypothesis, samples::probe());
  });
}
