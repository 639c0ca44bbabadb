// What cuvier-gpu is asked on its standard input: it answers every line, and in JSON.

#include <sstream>

#include "probes/gpu/session.h"
#include "probes/json_fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/runner/simulated_device.h"
#include "tests/samples.h"

namespace {

/// So many repetitions would only take long.
bool asks_often(const std::string& text) {
  const std::string field = "\"repeat\"";
  for (std::size_t at = text.find(field); at != std::string::npos; at = text.find(field, at + 1)) {
    const std::size_t digit = text.find_first_of("0123456789", at);
    if (digit == std::string::npos) return false;
    const std::size_t end = text.find_first_not_of("0123456789", digit);
    if (end != digit + 1) return true;
  }
  return false;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const Device device = samples::device();
  const std::string text(fuzz::text_of(data, size));
  if (asks_often(text)) return 0;
  std::istringstream in(text);
  std::ostringstream out;
  gpu::serve(in, out, [] {
    return gpu::ReadyDevice{std::make_unique<gpu::SimulatedDevice>(device, Hypothesis{}), {}};
  });
  std::istringstream answers(out.str());
  for (std::string line; std::getline(answers, line);) {
    fuzz::expect(parse_json(line, "answer").contains("type"));
  }
  fuzz::fate.taken = true;
  return 0;
}
