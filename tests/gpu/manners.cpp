#include "tests/gpu/manners.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "probes/error.h"

namespace cuvier::gpu {
namespace {

using enum Unkindness;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::array<std::pair<std::string_view, Unkindness>, 18> names = {{
    {"late_start", late_start},
    {"slow_launch", slow_launch},
    {"slow_stream", slow_stream},
    {"slow_release", slow_release},
    {"scattered_release", scattered_release},
    {"driver_waits", driver_waits},
    {"cluster_waves", cluster_waves},
    {"bad_smid", bad_smid},
    {"bad_slot", bad_slot},
    {"rounded_frames", rounded_frames},
    {"rounded_registers", rounded_registers},
    {"coarse_clock", coarse_clock},
    {"late_first", late_first},
    {"shared_connections", shared_connections},
    {"short_of_room", short_of_room},
    {"slow_kernel", slow_kernel},
    {"forgets_clusters", forgets_clusters},
    {"mps", mps},
}};

constexpr int preempted_one_in = 30;
constexpr int wrong_one_in = 8;
constexpr int late_one_in = 100;
constexpr int slow_one_in = 200;
constexpr int largest_frame = 8192;
constexpr int clock_step_ns = 1024;
constexpr int frame_step = 64;

std::set<Unkindness> read(const std::string& kinds) {
  std::set<Unkindness> all;
  std::istringstream stream(kinds);
  for (std::string name; std::getline(stream, name, ',');) {
    const bool take_away = name.starts_with("-");
    if (take_away) name.erase(0, 1);
    bool known = false;
    for (const auto& [its_name, kind] : names) {
      if (name != its_name && name != "all") continue;
      known = true;
      if (take_away) {
        all.erase(kind);
      } else {
        all.insert(kind);
      }
    }
    if (known) continue;
    std::string message = "CUVIER_FAKE_UNKIND: no unkindness is called " + name + "; there is all";
    for (const auto& [its_name, kind] : names) message += ", " + std::string(its_name);
    throw Error(message);
  }
  return all;
}

}  // namespace

Manners::Manners(const std::string& kinds, std::uint64_t seed) : kinds_(read(kinds)) {
  for (std::size_t kind = 0; kind < names.size(); ++kind) {
    draws_.emplace_back(seed * names.size() + kind);
  }
  if (has(coarse_clock)) origin_ns_ = draws_[static_cast<int>(coarse_clock)]() / 4;
}

int Manners::draw(Unkindness kind, int low, int high) {
  const std::lock_guard lock(mutex_);
  return uniform(draws_[static_cast<int>(kind)], low, high);
}

Manners::Duration Manners::draw_us(Unkindness kind, int low, int high) {
  return has(kind) ? microseconds(draw(kind, low, high)) : microseconds(0);
}

Manners::Call Manners::launch_call(bool first_on_stream, bool changes_carve_out) {
  Call call;
  if (has(slow_launch)) {
    const bool preempted = draw(slow_launch, 1, preempted_one_in) == 1;
    const Duration all =
        preempted ? draw_us(slow_launch, 5'000, 20'000) : draw_us(slow_launch, 10, 1'000);
    // Preempted beforehand, it returns before the blocks start; else they may long have.
    (draw(slow_launch, 0, 1) == 0 ? call.before : call.after) = all;
  }
  if (first_on_stream) call.before += draw_us(slow_stream, 1'000, 10'000);
  if (changes_carve_out) call.before += draw_us(driver_waits, 200, 3'000);
  return call;
}

Manners::Duration Manners::handover_to_start() { return draw_us(late_start, 5, 60); }

Manners::Duration Manners::launch_to_start() {
  const bool late = has(late_first) && draw(late_first, 1, late_one_in) == 1;
  return handover_to_start() + std::chrono::milliseconds(late ? 3 : 0);
}

Manners::Duration Manners::start_to_start() {
  return nanoseconds(has(late_start) ? draw(late_start, 0, 1'000) : 0);
}

Manners::Duration Manners::open_to_exit() { return draw_us(slow_release, 5, 100); }

Manners::Duration Manners::exit_to_start() {
  return draw_us(slow_release, 1, 10) + handover_to_start();
}

Manners::Duration Manners::first_of_kernel() {
  const bool slow = has(slow_kernel) && draw(slow_kernel, 1, slow_one_in) == 1;
  return slow ? draw_us(slow_kernel, 250'000, 300'000) : Duration{};
}

bool Manners::is_short_of_room(int blocks, int slots, int local) {
  // No other probe has so many blocks of so large a frame. A few less than there are slots, since
  // a runner may try with what it had room for.
  return has(short_of_room) && local == largest_frame && blocks > slots - 8 &&
         draw(short_of_room, 0, 1) == 0;
}

bool Manners::tells_clusters(bool asked_before) {
  return !has(forgets_clusters) || !asked_before || draw(forgets_clusters, 0, 1) == 0;
}

int Manners::first_to_leave(int blocks) {
  return has(scattered_release) ? draw(scattered_release, 1, blocks) : blocks;
}

std::uint64_t Manners::device_ns(std::uint64_t ns) const {
  if (!has(coarse_clock)) return ns;
  return (origin_ns_ + ns) / clock_step_ns * clock_step_ns;
}

int Manners::wrong_block(Unkindness kind, int blocks, int sms) {
  if (!has(kind) || blocks <= 1 || blocks >= sms || draw(kind, 1, wrong_one_in) != 1) return -1;
  return draw(kind, 0, blocks - 1);
}

int Manners::registers_of(int claimed) const {
  return claimed + (has(rounded_registers) && claimed % 8 == 5 ? 1 : 0);
}

int Manners::frame_of(int claimed) const {
  return has(rounded_frames) ? (claimed + frame_step - 1) / frame_step * frame_step : claimed;
}

std::vector<int> Manners::free_sms(std::vector<int> sms, int size) {
  for (int i = 0; i < size; ++i) {
    std::swap(sms[i], sms[draw(cluster_waves, i, static_cast<int>(sms.size()) - 1)]);
  }
  sms.resize(size);
  return sms;
}

}  // namespace cuvier::gpu
