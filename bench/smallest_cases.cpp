// The table of docs/results/smallest-cases.md: the paper's probes, minimised.

#include "tests/case/smallest_cases.h"

int main() {
  using namespace cuvier;
  for (const PaperMechanism& mechanism : paper_mechanisms) {
    fmt::print("{}", table_row(mechanism, smallest_case(mechanism)));
    std::fflush(stdout);
  }
}
