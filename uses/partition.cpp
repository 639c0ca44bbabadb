#include "uses/partition.h"

#include <algorithm>
#include <numeric>

#include "hypotheses/readings/single_reading.h"
#include "probes/mapped.h"

namespace cuvier {
namespace {

/// The groups of these SMs, numbered anew: a map's labels are below the number of SMs.
std::vector<int> map_of(const std::vector<int>& sms, auto&& group_of) {
  return numbered_by_first_sm(mapped(sms, group_of));
}

}  // namespace

std::vector<int> ReservedSms::some_of(int device_sms) const {
  if (!sms.empty() || count == 0) return sms;
  std::vector<int> last(count);
  std::iota(last.begin(), last.end(), device_sms - count);
  return last;
}

void Partition::name_as_on_whole(std::vector<Step>& steps) const {
  for (Step& step : steps) {
    for (Started& started : step.started) {
      for (int& sm : started.sm) sm = sms[sm];
    }
  }
}

void Partition::name_as_on_whole(Wait& wait) const {
  for (Refusal& refusal : wait.sms) {
    for (int& sm : refusal.sms) sm = sms[sm];
  }
}

Partition without_sms(const Device& whole, const std::vector<int>& reserved) {
  Partition part{whole, {}};
  for (int sm = 0; sm < whole.sms; ++sm) {
    if (std::ranges::find(reserved, sm) == reserved.end()) part.sms.push_back(sm);
  }
  if (reserved.empty()) return part;
  Device& device = part.device;
  device.sms = static_cast<int>(part.sms.size());
  device.tpc_of_sm = map_of(part.sms, [&](int sm) { return whole.tpc_of(sm); });
  if (!whole.gpc_of_sm.empty()) {
    device.gpc_of_sm = map_of(part.sms, [&](int sm) { return whole.gpc_of_sm[sm]; });
  }
  return part;
}

Hypothesis on_partition(const Device& whole, const Hypothesis& hypothesis, const Partition& part) {
  if (part.device.sms == whole.sms) return hypothesis;
  const std::vector<int> ranks = SingleReading(whole, hypothesis).sm_ranks();
  Hypothesis there = hypothesis;
  there.set<TieBreak>(TieBreak::learned);
  there.order.clear();
  for (int sm = 0; sm < part.device.sms; ++sm) there.order.push_back(sm);
  std::ranges::sort(there.order, {}, [&](int sm) { return ranks[part.sms[sm]]; });
  return there;
}

}  // namespace cuvier
