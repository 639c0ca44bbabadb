#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "probes/family.h"
#include "tests/law/out_of_space.h"

/// Black boxes that follow Algorithm 1 but for one thing that no hypothesis knows of.
namespace cuvier::breakers {

/// What a black box remembers.
struct Past {
  int session = 0;  ///< sessions before this one
  int probes = 0;   ///< of this session, before this one
  int local = 0;    ///< the most that a kernel of this session had, this probe's included
  int shared = 0;
  int first_local = 0;  ///< the most that a kernel of the session's first probe had
};

/// One thing that is otherwise: whatever is set.
struct Breaker {
  std::string_view part;    ///< of the machine
  std::string_view breaks;  ///< in words
  /// The property that a pattern should name (solver/finding/pattern.h); empty: none does.
  std::string_view property;
  void (*device)(Device&) = nullptr;  ///< what it has instead of what is documented
  /// What the scheduler takes the probe's kernel of this index for.
  void (*kernel)(Kernel&, int index, const Probe&, const Past&) = nullptr;
  /// The SM that a block is seen on instead, of those of a step.
  void (*seen)(std::vector<int>& sms, int kernel, int step, const Probe&, const Past&) = nullptr;
  std::string_view other = {};                                 ///< "AXIS=VALUE": what holds
  bool (*when)(const Probe&, const Past&) = nullptr;           ///< for these probes, or
  bool (*of)(int warps, int registers, int shared) = nullptr;  ///< for blocks like these

  /// What of a block the property is about, in a word or two.
  std::string_view resource() const {
    for (const std::string_view resource : {"shared memory", "registers", "local", "priority"}) {
      if (property.find(resource) != std::string_view::npos) return resource;
    }
    return "warp";
  }
};

/// Algorithm 1, with rules about blocks of a kind that are another hypothesis's.
class RuleByDemand : public Prediction {
 public:
  struct Change {
    Hypothesis base;
    Hypothesis other;
    bool (*of)(int warps, int registers, int shared) = nullptr;
  };

  RuleByDemand(const Device& device, const Change& change)
      : Prediction(device, change.base), change_(change) {}

  template <class Rule, class... States>
  auto apply(const Rule& rule, const States&... states) {
    if constexpr (requires { rule.template demand<Concrete>(); }) {
      const auto demand = rule.template demand<Concrete>();
      if (change_.of && change_.of(demand.warps, demand.registers, demand.shared)) {
        return apply_under(change_.other, rule, states...);
      }
    }
    return Prediction::apply(rule, states...);
  }

 private:
  Change change_;
};

class Broken : public Oracle {
 public:
  Broken(const Device& device, const Breaker& breaker)
      : device_(device),
        breaker_(breaker),
        plain_(real(device, breaker), {{}, other(breaker), breaker.of}),
        other_(real(device, breaker), {other(breaker), {}, nullptr}) {}

  const Device& device() const override { return device_; }
  std::string description() const override { return std::string(breaker_.breaks); }
  int session() const override { return past_.session; }

  bool begin_session() override {
    plain_.begin_session();
    other_.begin_session();
    past_ = {past_.session + 1, 0, 0, 0, 0};
    return true;
  }

  std::vector<Answer> run(const Probe& probe, int repeat) override {
    std::vector<Answer> answers;
    for (int i = 0; i < repeat; ++i) answers.push_back(run(probe));
    return answers;
  }

 private:
  Answer run(const Probe& probe) {
    for (const Kernel& kernel : probe.kernels) {
      past_.local = std::max(past_.local, kernel.local);
      past_.shared = std::max(past_.shared, kernel.shared);
    }
    if (past_.probes == 0) past_.first_local = past_.local;
    Probe taken = probe;
    for (int k = 0; breaker_.kernel && k < static_cast<int>(taken.kernels.size()); ++k) {
      breaker_.kernel(taken.kernels[k], k, probe, past_);
    }
    Answer answer = plain_.run(taken, 1).front();
    Answer otherwise = other_.run(taken, 1).front();
    if (breaker_.when && breaker_.when(probe, past_)) answer = std::move(otherwise);
    for (int step = 0; breaker_.seen && step < std::ssize(answer.observation->steps); ++step) {
      for (Started& started : answer.observation->steps[step].started) {
        breaker_.seen(started.sm, started.kernel, step, probe, past_);
      }
    }
    answer.facts = facts_of(*answer.observation, probe);
    ++past_.probes;
    return answer;
  }

  static Device real(Device device, const Breaker& breaker) {
    if (breaker.device) breaker.device(device);
    return device;
  }

  static Hypothesis other(const Breaker& breaker) {
    Hypothesis hypothesis;
    if (breaker.other.empty()) return hypothesis;
    const auto equals = breaker.other.find('=');
    const int axis = *find_axis(breaker.other.substr(0, equals));
    hypothesis.values[axis] =
        static_cast<std::uint8_t>(*find_value(axis, breaker.other.substr(equals + 1)));
    return hypothesis;
  }

  using Machine = out_of_space::ChangedRule<RuleByDemand, RuleByDemand::Change>;

  Device device_;
  const Breaker& breaker_;
  Machine plain_;
  Machine other_;
  Past past_;
};

inline bool any_kernel(const Probe& probe, const std::function<bool(const Kernel&)>& is) {
  return std::ranges::any_of(probe.kernels, is);
}

/// A kernel of the shape and grid of the one before it in its stream.
inline bool is_behind_its_like(const Probe& probe) {
  return std::ranges::any_of(launched_in(probe), [&](int index) {
    const Kernel& kernel = probe.kernels[index];
    const auto ahead = ahead_in_stream(probe, index);
    return ahead && asks_the_same(probe.kernels[*ahead], kernel) &&
           probe.kernels[*ahead].blocks == kernel.blocks;
  });
}
inline void turn(std::vector<int>& sms, int by) {
  constexpr int turned = 8;  // among so many SMs: every device has them
  for (int& sm : sms) {
    if (sm < turned) sm = (sm + by) % turned;
  }
}

/// All of them. Each is seen in some probe that is legal on an RTX 3090.
inline const std::vector<Breaker>& all() {
  using P = const Probe&;
  using Q = const Past&;
  using Sms = std::vector<int>&;
  static const std::vector<Breaker> breakers{
      // facts of the device
      {"limits", "one block slot less", "blocks of the kernel",
       [](Device& d) { --d.max_blocks_per_sm; }},
      {"limits", "one block slot more", "blocks of the kernel",
       [](Device& d) { ++d.max_blocks_per_sm; }},
      {"limits", "one resident kernel less", "kernels in the probe",
       [](Device& d) { --d.max_resident_kernels; }},
      {"limits", "one resident kernel more", "kernels in the probe",
       [](Device& d) { ++d.max_resident_kernels; }},
      {"limits", "four warps less", "", [](Device& d) { d.max_warps_per_sm -= 4; }},
      {"limits", "four warps more", "", [](Device& d) { d.max_warps_per_sm += 4; }},
      {"limits", "a warp of 255 registers less", "registers per thread",
       [](Device& d) { d.registers_per_sm -= 4 * 1024; }},
      {"limits", "1 KiB of shared memory less", "bytes of shared memory",
       [](Device& d) { d.shared_configs.back() -= 1024; }},
      {"limits", "1 KiB of shared memory more", "bytes of shared memory",
       [](Device& d) { d.shared_configs.back() += 1024; }},
      {"limits", "a configuration is missing", "bytes of shared memory",
       [](Device& d) { d.shared_configs.erase(d.shared_configs.end() - 2); }},
      {"limits", "TPCs are an SM and its opposite", "",
       [](Device& d) {
         for (int i = 0; i < d.sms; ++i) d.tpc_of_sm.push_back(i % (d.sms / 2));
       }},
      // what a block takes
      {"shared memory", "is allocated without rounding", "bytes of shared memory mod 128",
       [](Device& d) {
         for (int& bytes : d.shared_configs) bytes *= 128;
       },
       [](Kernel& k, int, P, Q) { k.shared = 128 * (k.shared + 1024) - 1024; }},
      {"shared memory", "is rounded to 384 bytes", "bytes of shared memory mod 128", nullptr,
       [](Kernel& k, int, P, Q) { k.shared = (k.shared + 383) / 384 * 384; }},
      {"shared memory", "128 bytes more are reserved", "bytes of shared memory", nullptr,
       [](Kernel& k, int, P, Q) { k.shared += 128; }},
      {"shared memory", "wide blocks reserve 1 KiB more", "threads per block", nullptr,
       [](Kernel& k, int, P, Q) { k.shared += k.threads > 512 ? 1024 : 0; }},
      {"shared memory", "blocks of many registers reserve 1 KiB more", "registers per thread",
       nullptr, [](Kernel& k, int, P, Q) { k.shared += k.registers > 128 ? 1024 : 0; }},
      {"registers", "come in threes of eight", "registers per thread", nullptr,
       [](Kernel& k, int, P, Q) { k.registers = std::min((k.registers + 23) / 24 * 24, 255); }},
      {"registers", "of 129 and more, eight more", "registers per thread", nullptr,
       [](Kernel& k, int, P, Q) { k.registers += k.registers > 128 ? 8 : 0; }},
      {"registers", "a multiple of 8 takes eight more", "registers per thread mod 8", nullptr,
       [](Kernel& k, int, P, Q) { k.registers += k.registers % 8 == 0 ? 1 : 0; }},
      {"warps", "half a warp counts as two", "threads per block mod 32", nullptr,
       [](Kernel& k, int, P, Q) { k.threads += k.threads % 32 != 0 && k.threads <= 960 ? 32 : 0; }},
      {"warps", "more than 16 are an even number", "threads per block", nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.warps() > 16) k.threads = (k.threads + 63) / 64 * 64;
       }},
      {"warps", "5 are 8", "threads per block", nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.warps() == 5) k.threads = 256;
       }},
      // the queue
      {"queue", "there are two priorities", "levels above the default priority", nullptr,
       [](Kernel& k, int, P, Q) { k.priority = std::max(k.priority, -1); }},
      {"queue", "priorities below -1 come last", "levels above the default priority", nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.priority < -1) k.priority = 1;
       }},
      {"queue", "large grids have no priority", "levels above the default priority", nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.blocks >= 24) k.priority = 0;
       }},
      {"queue", "the ninth kernel shares the first's stream", "kernels in the probe", nullptr,
       [](Kernel& k, int i, P, Q) {
         if (!k.stream) k.stream = std::to_string(i % 8);
       }},
      {"queue", "priorities have streams of their own", "levels above the default priority",
       nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.stream && k.priority < 0) k.stream = *k.stream + "high";
       }},
      {"queue", "six kernels pass each other", "kernels in the probe", nullptr, nullptr, nullptr,
       "queue=skip_ahead", [](P p, Q) { return p.kernels.size() >= 6; }},
      // local memory
      {"local memory", "twice as much is set up", "bytes of local memory", nullptr,
       [](Kernel& k, int i, P p, Q) {
         if (i > 0 && k.local <= 2 * p.kernels[0].local) k.local = 0;
       }},
      {"local memory", "is set up by the first probe for all", "bytes of local memory", nullptr,
       [](Kernel& k, int, P, Q past) {
         if (k.local <= 64 * past.first_local) k.local = 0;
       }},
      {"local memory", "up to 512 bytes are always there", "bytes of local memory", nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.local <= 512) k.local = 0;
       }},
      // where blocks are seen
      {"selection", "the last two of 25 blocks and more change places", "blocks of the kernel",
       nullptr, nullptr,
       [](Sms sms, int k, int, P p, Q) {
         if (p.kernels[k].blocks >= 25 && sms.size() > 1)
           std::iter_swap(sms.end() - 1, sms.end() - 2);
       }},
      {"selection", "the first two of 36 blocks and more change places", "blocks of the kernel",
       nullptr, nullptr,
       [](Sms sms, int k, int, P p, Q) {
         if (p.kernels[k].blocks >= 36 && sms.size() > 1) std::swap(sms[0], sms[1]);
       }},
      {"selection", "each kernel begins an SM further", "kernels launched before", nullptr, nullptr,
       [](Sms sms, int k, int, P, Q) { turn(sms, k); }},
      {"selection", "each probe begins an SM further", "probes before it in its session", nullptr,
       nullptr, [](Sms sms, int, int, P, Q past) { turn(sms, past.probes); }},
      {"selection", "each session begins an SM further", "", nullptr, nullptr,
       [](Sms sms, int, int, P, Q past) { turn(sms, past.session); }},
      {"selection", "after five kernels it turns", "kernels launched before", nullptr, nullptr,
       [](Sms sms, int k, int, P, Q) {
         if (k >= 5) turn(sms, 1);
       }},
      {"selection", "grids of 48 blocks and more go in order", "blocks of the kernel", nullptr,
       nullptr, nullptr, "tie_break=linear",
       [](P p, Q) { return any_kernel(p, [](const Kernel& k) { return k.blocks >= 48; }); }},
      {"selection", "after 30 probes it goes in order", "probes before it in its session", nullptr,
       nullptr, nullptr, "tie_break=linear", [](P, Q past) { return past.probes >= 30; }},
      {"selection", "every seventh probe goes in order", "probes before it in its session mod 7",
       nullptr, nullptr, nullptr, "tie_break=linear",
       [](P, Q past) { return past.probes % 7 == 6; }},
      {"selection", "the fewest warps, where local memory is used", "bytes of local memory",
       nullptr, nullptr, nullptr, "selection=fewest_warps",
       [](P p, Q) { return any_kernel(p, [](const Kernel& k) { return k.local > 0; }); }},
      {"selection", "pairs, where priorities are used", "levels above the default priority",
       nullptr, nullptr, nullptr, "dispatch_batch=pair",
       [](P p, Q) { return any_kernel(p, [](const Kernel& k) { return k.priority < 0; }); }},
      // rules within an SM that depend on the block
      {"warps", "the pointer skips from 8 warps on", "threads per block", nullptr, nullptr, nullptr,
       "pointer_skip=always", nullptr, [](int warps, int, int) { return warps >= 8; }},
      {"warps", "the pointer skips for blocks of shared memory", "bytes of shared memory", nullptr,
       nullptr, nullptr, "pointer_skip=always", nullptr,
       [](int, int, int shared) { return shared > 0; }},
      {"warps", "single warps go wherever there is room", "threads per block", nullptr, nullptr,
       nullptr, "warp_placement=least_loaded", nullptr,
       [](int warps, int, int) { return warps == 1; }},
      {"registers", "come by 512 in wide blocks", "threads per block", nullptr, nullptr, nullptr,
       "register_granularity=512", nullptr, [](int warps, int, int) { return warps >= 8; }},
      {"room", "is pooled for many registers", "registers per thread", nullptr, nullptr, nullptr,
       "room_warps=pooled_blocks", nullptr,
       [](int, int registers, int) { return registers >= 96; }},
      {"shared memory", "comes by 1 KiB from 32 KiB on", "bytes of shared memory", nullptr, nullptr,
       nullptr, "shared_granularity=1024", nullptr,
       [](int, int, int shared) { return shared >= 32768; }},
      {"shared memory", "is configured for one wide block", "threads per block", nullptr, nullptr,
       nullptr, "config_occupancy=single_block", nullptr,
       [](int warps, int, int) { return warps >= 16; }},
      {"shared memory", "the largest configuration from 20 KiB on", "bytes of shared memory",
       nullptr, nullptr, nullptr, "config_rounding=largest", nullptr,
       [](int, int, int shared) { return shared >= 20480; }},
      {"shared memory", "single warps go into any configuration", "threads per block", nullptr,
       nullptr, nullptr, "config_gate=space_only", nullptr,
       [](int warps, int, int) { return warps == 1; }},
      {"shared memory", "room is all that is free from 16 KiB on", "bytes of shared memory",
       nullptr, nullptr, nullptr, "shared_room=total_free", nullptr,
       [](int, int, int shared) { return shared >= 16384; }},
      {"shared memory", "the largest so far is kept", "probes before it in its session", nullptr,
       nullptr, nullptr, "config_rounding=largest",
       [](P, Q past) { return past.shared >= 65536 && past.probes > 0; }},
      // two things at once, or a narrow class
      {"registers", "wide blocks of many registers take eight more", "registers per thread",
       nullptr,
       [](Kernel& k, int, P, Q) { k.registers += k.warps() >= 8 && k.registers > 64 ? 8 : 0; }},
      {"shared memory", "up to 3 KiB are 4", "bytes of shared memory", nullptr,
       [](Kernel& k, int, P, Q) {
         if (k.shared > 2048 && k.shared <= 3072) k.shared = 4096;
       }},
      {"shared memory", "an odd number of warps reserves 1 KiB more", "warps per block mod 4",
       nullptr,
       [](Kernel& k, int, P, Q) { k.shared += k.shared > 0 && k.warps() % 2 == 1 ? 1024 : 0; }},
      {"queue", "single blocks go first", "blocks of the kernel", nullptr,
       [](Kernel& k, int, P, Q) { k.priority -= k.blocks == 1 ? 6 : 0; }},
      {"warps", "three begin at the first subpartition", "warps per block", nullptr, nullptr,
       nullptr, "warp_placement=fixed_start", nullptr,
       [](int warps, int, int) { return warps == 3; }},
      {"room", "of 5 to 7 warps is counted in warps", "warps per block", nullptr, nullptr, nullptr,
       "room_warps=strict_warps", nullptr,
       [](int warps, int, int) { return warps >= 5 && warps <= 7; }},
      {"room", "is pooled for wide blocks of few registers", "threads per block", nullptr, nullptr,
       nullptr, "room_warps=pooled_blocks", nullptr,
       [](int warps, int registers, int) { return warps >= 6 && registers <= 40; }},
      // what had never been asked until strangers' boxes did it
      {"selection", "grids of more than 1,400 blocks go by pairs", "blocks of the kernel", nullptr,
       nullptr, nullptr, "dispatch_batch=pair",
       [](P p, Q) { return any_kernel(p, [](const Kernel& k) { return k.blocks > 1400; }); }},
      {"selection", "in order, where a kernel is behind its like in a stream", "", nullptr, nullptr,
       nullptr, "tie_break=linear", [](P p, Q) { return is_behind_its_like(p); }},
      {"registers", "spilling kernels take eight more", "registers per thread", nullptr,
       [](Kernel& k, int, P, Q) { k.registers += k.local > 0 && k.registers > 64 ? 8 : 0; }},
  };
  return breakers;
}

}  // namespace cuvier::breakers
