#include "probes/gpu/launch_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace cuvier::gpu {
namespace {

using namespace std::chrono_literals;

TEST(LaunchQueue, SaysWhenTheLatestLaunchReturned) {
  LaunchQueue queue;
  const auto before = LaunchQueue::Clock::now();
  queue.push([] { std::this_thread::sleep_for(1ms); });
  while (!queue.returned_at()) std::this_thread::yield();
  EXPECT_GE(*queue.returned_at() - before, 1ms);
  EXPECT_EQ(queue.held_for(), 0ns);
}

/// Until it returns; of the next one anew.
TEST(LaunchQueue, SaysHowLongTheDriverHasHadALaunch) {
  LaunchQueue queue;
  for (int launch = 0; launch < 2; ++launch) {
    std::atomic<bool> may_return = false;
    std::atomic<bool> called = false;
    queue.push([&] {
      called = true;
      while (!may_return) std::this_thread::sleep_for(1ms);
    });
    while (!called) std::this_thread::yield();
    while (queue.held_for() < 20ms) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(queue.returned_at());
    may_return = true;
    while (!queue.returned_at()) std::this_thread::yield();
    EXPECT_EQ(queue.held_for(), 0ns);
  }
}

}  // namespace
}  // namespace cuvier::gpu
