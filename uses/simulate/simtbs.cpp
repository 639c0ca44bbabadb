#include "uses/simulate/simtbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "hypotheses/assumptions.h"
#include "hypotheses/axes/warp_placement.h"
#include "probes/an_error.h"
#include "probes/number_in.h"

namespace cuvier {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string where)
      : text_(std::string(text)), where_(std::move(where)) {}

  SimtbsConfig read() {
    std::string section;
    for (std::string line; std::getline(text_, line);) {
      ++line_;
      const std::vector<std::string> words = words_of(line);
      if (words.empty() || words[0].starts_with('#')) continue;
      if (words[0].starts_with('*')) {
        section = words[0];
      } else if (section == "*sm") {
        read_sms(numbers(words, 4));
      } else if (section == "*overhead_sm") {
        read_contention(numbers(words, 2));
      } else if (section == "*kernel") {
        read_kernel(numbers(words, 5));
      } else if (section.empty()) {
        fail("belongs to no section; is it a configuration file of simtbs?");
      }
    }
    if (slots_ == 0) fail("the file ends without a *sm section");
    if (config_.workload.jobs.empty()) fail("the file ends without a kernel; is it cut short?");
    std::ranges::stable_sort(config_.workload.jobs, {}, &Job::arrival_ms);
    return std::move(config_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw an_error("{}:{}: {}", where_, line_, what);
  }

  static std::vector<std::string> words_of(const std::string& line) {
    std::istringstream words(line);
    return {std::istream_iterator<std::string>(words), {}};
  }

  std::vector<double> numbers(const std::vector<std::string>& words, std::size_t fewest) const {
    std::vector<double> numbers;
    for (const std::string& word : words) {
      const auto number = number_in<double>(word);
      if (!number) fail("has something that is no number");
      if (!(*number >= 0 && *number <= 1e6)) fail("has a number below 0 or over 1e6");
      numbers.push_back(*number);
    }
    if (numbers.size() < fewest) {
      fail(fmt::format("has {} numbers of {} at least; is it cut short?", numbers.size(), fewest));
    }
    return numbers;
  }

  int whole(double number) const {
    if (number != std::floor(number)) {
      fail(fmt::format("has {} where a whole number is counted; round it", number));
    }
    return static_cast<int>(number);
  }

  void read_sms(const std::vector<double>& numbers) {
    if (slots_ > 0) fail("describes SMs a second time, and one sort is modelled; leave it out");
    if (numbers[1] != 1) fail("has several resources that policies look at; only one is modelled");
    const int sms = whole(numbers[0]);
    slots_ = whole(numbers[3]);
    if (sms < 1 || slots_ < 1 || slots_ > most_slots) {
      fail(fmt::format("must have an SM, and 1 to {} of the resource in each", most_slots));
    }
    config_.device = plain_device("simtbs", sms, slots_ * unit);
  }

  void read_contention(const std::vector<double>& numbers) {
    auto& points = config_.workload.contention.points;
    if (!points.empty() && numbers[0] <= points.back().first) fail("shares must ascend");
    points.emplace_back(numbers[0], numbers[1]);
  }

  /// type, start, blocks, duration, the resource, ...
  void read_kernel(const std::vector<double>& numbers) {
    if (slots_ == 0) fail("a kernel comes before the *sm section");
    if (numbers[1] < 1) fail("a kernel arrives before the first tick, which is 1");
    if (numbers[2] < 1 || numbers[3] <= 0 || numbers[4] < 1) {
      fail("a kernel must have a block, and each some time and some of the resource");
    }
    if (numbers[4] > slots_) {
      fail(fmt::format("a block asks for {} of the {} that an SM has", numbers[4], slots_));
    }
    Job job;
    job.kernel.name = fmt::format("k{}", config_.workload.jobs.size() + 1);
    job.arrival_ms = numbers[1];
    job.kernel.blocks = whole(numbers[2]);
    job.block_ms = numbers[3];
    job.kernel.threads = 32 * unit * whole(numbers[4]);
    job.kernel.registers = 16;
    config_.workload.jobs.push_back(std::move(job));
  }

  static constexpr int most_slots = 1024;
  /// Warps that stand for one of the resource. One on each subpartition: so blocks of one size are
  /// all alike, wherever they come to be, and an SM has few states.
  static constexpr int unit = kSubpartitions;

  std::istringstream text_;
  const std::string where_;
  int line_ = 0;
  int slots_ = 0;  ///< of the resource, on each SM
  SimtbsConfig config_;
};

}  // namespace

SimtbsConfig read_simtbs(std::string_view text, const std::string& where) {
  return Reader(text, where).read();
}

Device plain_device(const std::string& name, int sms, int warps_per_sm) {
  Device device;
  device.name = name;
  device.architecture = "sm_70";
  device.sms = sms;
  device.max_blocks_per_sm = warps_per_sm;
  device.max_warps_per_sm = warps_per_sm;
  device.registers_per_sm = std::max(65536, 512 * warps_per_sm);  // at 16 for each thread
  device.shared_configs = {0, 98304};
  device.max_shared_per_block = 98304;
  device.max_resident_kernels = 1'000'000;
  return device;
}

Hypothesis plain_hypothesis(const std::string& text) {
  Hypothesis hypothesis = hypothesis_from_text(text);
  hypothesis.set<WarpPlacement>(WarpPlacement::skip_full);
  hypothesis.set<ConfigScope>(ConfigScope::none);
  hypothesis.set<RuntimeShared>(RuntimeShared::b0);
  hypothesis.set<TieBreak>(TieBreak::linear);
  hypothesis.set<CursorReset>(CursorReset::never);
  return hypothesis;
}

}  // namespace cuvier
