// A model file: what is read can predict, or it is said why not.

#include "hypotheses/simulator.h"
#include "reports/finding/model_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const Device device = samples::device();
  const fuzz::InputFile file(fuzz::text_of(data, size));
  return fuzz::takes_or_refuses(
      [&] { predict(device, read_model(file.path()), samples::probe()); });
}
