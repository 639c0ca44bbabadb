// A black box of tests/law/breakers.h as a program that speaks the oracle protocol, so that any
// command can be put in front of it: cuvier invent --oracle 'exec:bench_breaker_oracle 16' ...

#include <iostream>

#include "hypotheses/devices.h"
#include "probes/number_in.h"
#include "tests/law/breakers.h"
#include "tests/serve.h"

int main(int argc, char** argv) {
  using namespace cuvier;
  const auto& all = breakers::all();
  const std::size_t which = number_in<std::size_t>(argc == 2 ? argv[1] : "").value_or(all.size());
  if (which >= all.size()) {
    std::cerr << "bench_breaker_oracle NUMBER: of a black box, below " << all.size() << '\n';
    return 2;
  }
  breakers::Broken oracle(find_device("rtx3090"), all[which]);
  serve(oracle, {{"oracle", {{"name", oracle.description()}, {"version", "1"}}}});
}
