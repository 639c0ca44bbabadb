// cuvier-gpu-stand-in DEVICE [MARK FAULT_AT]: the runner's protocol before a simulated device.
// With MARK, a file: loses the device at that action unless the file is there, and makes it,
// so that it fails once.
#include <fstream>
#include <iostream>
#include <string>

#include "hypotheses/devices.h"
#include "probes/gpu/session.h"
#include "tests/runner/simulated_device.h"

int main(int argc, char** argv) {
  using namespace cuvier;
  using namespace cuvier::gpu;
  if (argc != 2 && argc != 4) return 2;
  Manners manners;
  if (argc == 4 && !std::ifstream(argv[2])) {
    std::ofstream(argv[2]) << "failed once\n";
    manners.fault = Manners::Fault::lost_at_launch;
    manners.fault_at = std::stoi(argv[3]);
  }
  return serve(std::cin, std::cout, [&] {
    return ReadyDevice{
        std::make_unique<SimulatedDevice>(find_device(argv[1]), Hypothesis{}, manners), {}};
  });
}
