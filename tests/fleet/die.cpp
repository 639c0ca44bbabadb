// cuvier-die DEVICE HYPOTHESIS UUID ASKED ERRS_IN: a simulated GPU that tells its UUID, behind the
// oracle protocol. Each probe that it is asked is a line of the file ASKED, and the answer to each
// ERRS_IN-th of these (0: none) is wrong. Sees the same in any process: tests can rely on it.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "hypotheses/assumptions.h"
#include "hypotheses/devices.h"
#include "hypotheses/simulated_oracle.h"
#include "tests/law/noise.h"
#include "tests/serve.h"

namespace {

using namespace cuvier;

std::ptrdiff_t lines_of(const std::string& path) {
  std::ifstream file(path);
  return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  SimulatedOracle die("die", find_device(argv[1]), hypothesis_from_text(argv[2]));
  const std::string asked = argv[4];
  const int errs_in = std::stoi(argv[5]);
  const Json told{{"oracle", {{"name", "die"}, {"version", "1"}}},
                  {"gpu", {{"uuid", argv[3]}, {"driver", "1.2"}}}};
  serve(die, told, [&](const Probe& probe) {
    Observation seen = *die.run(probe, 1).front().observation;
    std::ofstream(asked, std::ios::app) << to_json(probe).dump() << '\n';
    const auto number = errs_in > 0 ? lines_of(asked) : 1;
    Rng rng(static_cast<std::uint64_t>(number));
    if (errs_in > 0 && number % errs_in == 0) spoil(seen, rng);
    return seen;
  });
}
