#include "uses/simulate/simtbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "hypotheses/assumptions.h"
#include "hypotheses/axes/warp_placement.h"
#include "probes/error.h"
#include "probes/json_fields.h"

namespace cuvier {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  SimtbsConfig read() {
    std::string_view section;
    while (!text_.empty()) {
      ++line_;
      const std::string_view line = without_blanks(text_.substr(0, text_.find('\n')));
      text_.remove_prefix(std::min(text_.find('\n'), text_.size() - 1) + 1);
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '*') {
        section = line.substr(0, line.find_first_of(kBlanks));
      } else if (section == "*sm") {
        read_sms(numbers(line, 4));
      } else if (section == "*overhead_sm") {
        read_contention(numbers(line, 2));
      } else if (section == "*kernel") {
        read_kernel(numbers(line, 5));
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
    throw Error(fmt::format("{}:{}: {}", where_, line_, what));
  }

  /// From its first word on.
  static std::string_view without_blanks(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    return line;
  }

  std::vector<double> numbers(std::string_view line, std::size_t fewest) const {
    std::vector<double> numbers;
    while (!line.empty()) {
      double number = 0;
      const auto [end, fault] = std::from_chars(line.begin(), line.end(), number);
      if (fault != std::errc()) fail("has something that is no number");
      if (!(number >= 0 && number <= 1e6)) fail("has a number below 0 or over 1e6");
      numbers.push_back(number);
      line = without_blanks({end, line.end()});
    }
    if (numbers.size() < fewest) {
      fail(fmt::format("has {} numbers of {} at least; is it cut short?", numbers.size(), fewest));
    }
    return numbers;
  }

  void read_sms(const std::vector<double>& numbers) {
    if (numbers[1] != 1) fail("has several resources that policies look at; only one is modelled");
    const int sms = static_cast<int>(numbers[0]);
    slots_ = static_cast<int>(numbers[3]);
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
    job.kernel.blocks = static_cast<int>(numbers[2]);
    job.block_ms = numbers[3];
    job.kernel.threads = 32 * unit * static_cast<int>(numbers[4]);
    job.kernel.registers = 16;
    config_.workload.jobs.push_back(std::move(job));
  }

  static constexpr int most_slots = 1024;
  /// Warps that stand for one of the resource. One on each subpartition: so blocks of one size are
  /// all alike, wherever they come to be, and an SM has few states.
  static constexpr int unit = kSubpartitions;

  static constexpr const char* kBlanks = " \t\r\v\f";

  std::string_view text_;  ///< what is left of it
  const std::string where_;
  int line_ = 0;
  int slots_ = 0;  ///< of the resource, on each SM
  SimtbsConfig config_;
};

double uniform_amount(Rng& rng, double low, double high) {
  constexpr int steps = 1'000'000;
  return low + (high - low) * uniform(rng, 0, steps) / steps;
}

}  // namespace

SimtbsConfig read_simtbs(std::string_view text, const std::string& where) {
  return Reader(text, where).read();
}

Workload random_workload(const Device& device, const JobRanges& ranges,
                         const Contention& contention, double utilisation, double until_ms,
                         Rng& rng) {
  Workload workload{{}, contention};
  const double slots = static_cast<double>(device.sms) * device.max_warps_per_sm;
  double wanted = 0;  // warp slots in use over time
  double given = 0;
  std::vector<std::pair<double, double>> in_use;  // until when, how many
  for (double now = 0; now < until_ms; ++now) {
    std::erase_if(in_use, [&](const auto& job) { return job.first <= now; });
    for (const auto& [end, warps] : in_use) given += warps * std::min(1.0, end - now);
    wanted += utilisation * slots;
    if (given > wanted) continue;
    Job job;
    job.kernel.name = fmt::format("k{}", workload.jobs.size());
    job.kernel.blocks = uniform(rng, ranges.fewest_blocks, ranges.most_blocks);
    const int warps = ranges.warps[uniform(rng, 0, static_cast<int>(ranges.warps.size()) - 1)];
    job.kernel.threads = 32 * warps;
    job.kernel.registers = 16;
    job.block_ms = uniform_amount(rng, ranges.shortest_ms, ranges.longest_ms);
    if (ranges.most_memory > 0) {
      job.block_memory = uniform_amount(rng, ranges.least_memory, ranges.most_memory);
    }
    job.arrival_ms = now;
    const double share = static_cast<double>(warps) / device.max_warps_per_sm;
    in_use.emplace_back(now + job.block_ms * (1 + contention.added(share)),
                        job.kernel.blocks * warps);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
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
