#include "uses/fits/others.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hypotheses/simulator.h"
#include "probes/an_error.h"

namespace cuvier {
namespace {

constexpr double kFew = 3'000;

double choices(int of, int count) {
  double ways = 1;
  for (int i = 0; i < count; ++i) ways = ways * (of - i) / (i + 1);
  return std::round(ways);
}

/// Whether the axis's value is a formula: it could read the SM's index.
template <class Axis>
bool has_formula(const Hypothesis& hypothesis) {
  return is_formula<Axis>(hypothesis.get<Axis>());
}

/// Whether one SM is like another but for its rank, so that it makes no difference which are there.
bool sms_are_alike(const Hypothesis& hypothesis, const std::vector<Kernel>& kernels,
                   const std::vector<Kernel>& resident) {
  const auto is_cluster = [](const Kernel& kernel) { return kernel.cluster.has_value(); };
  return hypothesis.get<Hierarchy>() == Hierarchy::flat &&
         hypothesis.get<ConfigScope>() != ConfigScope::tpc && !has_formula<Selection>(hypothesis) &&
         !has_formula<Admission>(hypothesis) && std::ranges::none_of(kernels, is_cluster) &&
         std::ranges::none_of(resident, is_cluster);
}

class Listing {
 public:
  Listing(const Others& others, const Device& device, const Hypothesis& hypothesis)
      : others_(others), device_(device), hypothesis_(hypothesis) {
    for (const Kernel& kernel : others.resident) left_.push_back(kernel.blocks);
    blocks_ = std::accumulate(left_.begin(), left_.end(), 0);
  }

  Places run(bool sms_are_alike) {
    std::vector<std::vector<int>> reserved = reservations(sms_are_alike);
    double ways = std::pow(device_.sms - others_.reserved.count, blocks_);
    int first = 0;
    for (const int blocks : left_) ways *= choices(first += blocks, blocks);  // orders of arrival
    const bool are_few = ways * static_cast<double>(reserved.size()) <= kFew;
    places_.all = places_.all && are_few;
    if (!are_few && reserved.size() > 2) reserved = {reserved.front(), reserved.back()};
    for (const std::vector<int>& sms : reserved) {
      Beside beside{sms, others_.resident, {}};
      const Partition part = without_sms(device_, sms);
      are_few ? add_all(beside, part) : add_some(beside, part);
    }
    return std::move(places_);
  }

 private:
  /// Which SMs may be reserved.
  std::vector<std::vector<int>> reservations(bool sms_are_alike) {
    places_.all = true;
    const auto& [count, sms] = others_.reserved;
    if (count == 0 || !sms.empty()) return {sms};
    const std::vector<int> last = others_.reserved.some_of(device_.sms);
    if (sms_are_alike) return {last};
    std::vector<int> all(device_.sms);
    std::iota(all.begin(), all.end(), 0);
    if (choices(device_.sms, count) > kFew) {
      places_.all = false;
      return {last, {all.begin(), all.begin() + count}};
    }
    std::vector<std::vector<int>> reserved;
    std::vector<bool> is_reserved(device_.sms);
    std::fill(is_reserved.end() - count, is_reserved.end(), true);
    do {
      std::vector<int>& each = reserved.emplace_back();
      for (const int sm : all) {
        if (is_reserved[sm]) each.push_back(sm);
      }
    } while (std::next_permutation(is_reserved.begin(), is_reserved.end()));
    return reserved;
  }

  void add_all(Beside& beside, const Partition& part) {
    if (std::ssize(beside.blocks) == blocks_) {
      places_.some.push_back(beside);
      return;
    }
    for (int k = 0; k < std::ssize(left_); ++k) {
      if (left_[k] == 0) continue;
      --left_[k];
      for (const int sm : part.sms) {
        beside.blocks.push_back({k, sm});
        add_all(beside, part);
        beside.blocks.pop_back();
      }
      ++left_[k];
    }
  }

  void add_some(Beside beside, const Partition& part) {
    add_as_launched(beside, part);
    std::vector<int> sms = part.sms;
    for (int per_sm = 1; per_sm <= device_.max_blocks_per_sm; per_sm *= 2) {
      for ([[maybe_unused]] const char* const from : {"the first", "the last"}) {
        beside.blocks.clear();
        for (int k = 0; k < std::ssize(left_); ++k) {
          for (int block = 0; block < left_[k]; ++block) {
            const auto place = beside.blocks.size() / per_sm % sms.size();
            beside.blocks.push_back({k, sms[place]});
          }
        }
        places_.some.push_back(beside);
        std::ranges::reverse(sms);
      }
    }
  }

  /// Where they are put if they come one after the other.
  void add_as_launched(Beside beside, const Partition& part) {
    const Probe probe = launch_all("resident", others_.resident);
    const Hypothesis there = on_partition(device_, hypothesis_, part);
    for (const Step& step : predict(part.device, there, probe).steps) {
      for (const Started& started : step.started) {
        for (const int sm : started.sm) beside.blocks.push_back({started.kernel, part.sms[sm]});
      }
    }
    if (std::ssize(beside.blocks) == blocks_) places_.some.push_back(std::move(beside));
  }

  const Others& others_;
  const Device& device_;
  const Hypothesis& hypothesis_;
  std::vector<int> left_;  ///< by kernel that is resident
  int blocks_ = 0;
  Places places_;
};

}  // namespace

Places places_of(const Others& others, const Device& device, const Hypothesis& hypothesis,
                 const std::vector<Kernel>& kernels) {
  double blocks = 0;
  for (const Kernel& kernel : others.resident) blocks += kernel.blocks;
  if (blocks > static_cast<double>(device.sms) * device.max_blocks_per_sm) return {};
  return Listing(others, device, hypothesis)
      .run(sms_are_alike(hypothesis, kernels, others.resident));
}

Error without_place(const Others& others, const Device& device) {
  return an_error("{}: {} has no place for all of these blocks; list fewer", others.where,
                  device.name);
}

}  // namespace cuvier
