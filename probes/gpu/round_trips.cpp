#include "probes/gpu/round_trips.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cuvier::gpu {
namespace {

using std::chrono::microseconds;

constexpr int safety_factor = 8;
constexpr microseconds least_quiet{500};  // below this a preempted host decides
constexpr microseconds most_quiet{2000};  // above it probes cost more than they tell
constexpr microseconds longest_wait{500'000};

Probe grid(const RunnerDevice& device, int blocks) {
  Probe probe{"round_trip", {device.smallest_block()}, {}};
  probe.kernels[0].blocks = blocks;
  probe.script = {{0, {}}};
  return probe;
}

/// Waits until `done` says so; false if that takes too long.
template <class Done>
bool wait_for(RunnerDevice& device, Done done) {
  const Clock::time_point deadline = device.now() + longest_wait;
  while (!done()) {
    if (device.now() > deadline) return false;
    device.pause();
  }
  return true;
}

struct Times {
  std::vector<Clock::duration> launch;
  std::vector<Clock::duration> start;
  std::vector<Clock::duration> leave;
};

/// One round trip; false if its blocks did not all start, or not all leave.
bool measure(RunnerDevice& device, const Probe& probe, Times& times) {
  device.begin(probe);
  const Clock::time_point launched = device.now();
  Clock::time_point seen = launched;
  device.launch(0);
  int absent = probe.kernels[0].blocks;
  const bool started = wait_for(device, [&] {
    const Clock::time_point before = device.now();
    const int count = static_cast<int>(device.poll().started.size());
    if (count > 0) seen = before;
    absent -= count;
    return absent == 0 && device.submitted_at();
  });
  if (!started) {
    drain(device, Patience{}.drain, "a small grid does not leave the device");
    return false;
  }
  const Clock::time_point submitted = *device.submitted_at();
  times.launch.push_back(submitted - launched);
  times.start.push_back(std::max(seen - submitted, Clock::duration::zero()));
  std::vector<int> all(probe.kernels[0].blocks);
  for (int block = 0; block < std::ssize(all); ++block) all[block] = block;
  const Clock::time_point opened = device.now();
  device.release({{0, all}});
  int inside = probe.kernels[0].blocks;
  const bool left = wait_for(device, [&] {
    inside -= static_cast<int>(device.poll().left.size());
    return inside == 0;
  });
  if (left) times.leave.push_back(device.now() - opened);
  drain(device, Patience{}.drain, "a small grid does not leave the device");
  return left;
}

}  // namespace

Quantiles quantiles_of(std::vector<Clock::duration> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const auto at = [&](std::size_t percent) {
    return std::chrono::ceil<microseconds>(times[(times.size() - 1) * percent / 100]);
  };
  return {at(50), at(99), at(100)};
}

RoundTrips measure_round_trips(RunnerDevice& device, int blocks, int count) {
  const Probe probe = grid(device, blocks);
  RoundTrips trips;
  Times times;
  Times ignored;  // the first is slower than all later ones
  trips.fits = measure(device, probe, ignored);
  for (; trips.fits && trips.measured < count; ++trips.measured) {
    trips.fits = measure(device, probe, times);
  }
  trips.launch = quantiles_of(std::move(times.launch));
  trips.start = quantiles_of(std::move(times.start));
  trips.leave = quantiles_of(std::move(times.leave));
  return trips;
}

microseconds quiet_after(const RoundTrips& trips) {
  if (!trips.fits) return most_quiet;
  return std::clamp(safety_factor * trips.start.p99, least_quiet, most_quiet);
}

nlohmann::ordered_json to_json(const Quantiles& quantiles) {
  return {{"p50", quantiles.p50.count()},
          {"p99", quantiles.p99.count()},
          {"max", quantiles.max.count()}};
}

nlohmann::ordered_json to_json(const RoundTrips& trips) {
  return {{"measured", trips.measured},
          {"fits", trips.fits},
          {"launch_us", to_json(trips.launch)},
          {"start_us", to_json(trips.start)},
          {"leave_us", to_json(trips.leave)}};
}

}  // namespace cuvier::gpu
