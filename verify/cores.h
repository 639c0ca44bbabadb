#pragma once

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

namespace cuvier::verify {

/// What each(0), each(1), ... come to, so many of them on all cores, in this order. Throws what one
/// of them threw. (No bool: several share a byte there.)
template <class Each>
auto on_all_cores(int count, const Each& each) {
  std::vector<decltype(each(0))> all(count);
  std::atomic<int> next = 0;
  const auto work = [&] {
    try {
      for (int i = next++; i < count; i = next++) all[i] = each(i);
    } catch (...) {
      next = count;
      throw;
    }
  };
  const int cores = std::min(count, static_cast<int>(std::thread::hardware_concurrency()));
  std::vector<std::future<void>> others;
  for (int core = 1; core < cores; ++core) {
    others.push_back(std::async(std::launch::async, work));
  }
  work();
  for (auto& other : others) other.get();
  return all;
}

}  // namespace cuvier::verify
