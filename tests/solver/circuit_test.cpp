#include "solver/smt/circuit.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "solver/cancellation/gave_up.h"

namespace cuvier {
namespace {

volatile std::sig_atomic_t told = 0;

/// More pigeons than holes, which takes a while to see.
void ask_of_pigeons(int holes) {
  Circuit circuit;
  std::vector<std::vector<Circuit::Literal>> in(holes + 1);
  Circuit::Literal none_together = Circuit::kTrue;
  for (int pigeon = 0; pigeon <= holes; ++pigeon) {
    for (int hole = 0; hole < holes; ++hole) {
      in[pigeon].push_back(
          circuit.input(std::to_string(pigeon) + "in" + std::to_string(hole), pigeon + 1));
      for (int other = 0; other < pigeon; ++other) {
        const auto together = circuit.both(in[other][hole], in[pigeon][hole]);
        none_together = circuit.both(none_together, -together);
      }
    }
    circuit.require_one_of(in[pigeon]);
  }
  try {
    EXPECT_FALSE(circuit.satisfiable(none_together));
  } catch (const GaveUp&) {  // on a slow machine
  }
}

/// Z3 would take the signal for itself, give up, and nobody would end.
TEST(Circuit, LeavesCtrlCToUs) {
  struct sigaction ours {};
  struct sigaction before {};
  ours.sa_handler = [](int) { told = 1; };
  ::sigaction(SIGINT, &ours, &before);
  std::thread user([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::kill(::getpid(), SIGINT);
  });
  ask_of_pigeons(7);
  user.join();
  ::sigaction(SIGINT, &before, nullptr);
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace cuvier
