#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "hypotheses/simulator.h"
#include "probes/gpu/gate.h"
#include "tests/gpu/agenda.h"
#include "tests/gpu/manners.h"

namespace cuvier::gpu {

/// What a launch hands to the device.
struct FakeLaunch {
  Kernel kernel;  ///< without name and stream
  const void* stream = nullptr;
  int connection = 0;
  GateArguments gate{};
  int block_of_bad_smid = -1;  ///< none
  int block_of_bad_slot = -1;
};

/// Gated blocks in a thread of their own: placed where a simulated scheduler puts them, seen by
/// the host through nothing but the memory of the gates.
///
/// The scheduler is told of launches and releases in the order in which they reach the device,
/// and says at once what follows; only the choices at which the host sees it depend on Manners.
/// Kind ones let it see everything before a launch returns, and what a release lets in before
/// what it lets go. A release ends when no gate has opened for 50 us, or none is shut: however the
/// looks at them fall. So nothing here depends on how quickly the host's threads get their turn.
/// What nobody controls happens only while blocks spin, as some take it to be on real GPUs.
class FakeGpu {
 public:
  FakeGpu(const Device& device, const Hypothesis& mechanism, Manners& manners);

  const Device& device() const { return simulator_.device(); }

  /// Hands over a launch of gated blocks. Like the driver, keeps one with the largest frame yet
  /// until the device is idle.
  void launch(FakeLaunch launch);

  /// Whether blocks are resident of which the latest launch preferred another carve-out.
  bool changes_carve_out(const Kernel& kernel);

  /// Hands over a kernel without gates that is done as soon as it has run.
  void run(const void* stream, std::function<void()> kernel);

  /// How many blocks of this kernel one SM of the idle device holds.
  int most_on_one_sm(const Kernel& kernel);

  /// Lets the host see what is due by now, if the device's own thread is late.
  void catch_up();

  bool idle(const void* stream);
  void wait_until_idle(const void* stream);  ///< the stream
  void wait_until_idle();                    ///< all of the device

 private:
  using Clock = Agenda::Clock;

  /// A block in the device, from the moment at which it was placed.
  struct Inside {
    int kernel;
    int block;
    Clock::time_point start;  ///< when the host sees that it has started
    bool open;                ///< its gate, as far as was looked
  };

  void hand_over(FakeLaunch launch);
  bool waits_for_connection(const FakeLaunch& launch) const;
  void hand_over_held();
  Step act(const Action& action);
  std::unique_ptr<Choices> choices() const;
  void begin_blocks(const Step& step, Clock::time_point when);
  std::function<void()> start_of(const Started& started, std::size_t index, Clock::time_point when);
  void look_at_gates(Clock::time_point now);
  bool some_wait() const;
  void let_go();
  void left(int kernel, int block);
  bool stream_is_idle(const void* stream) const;
  void live();

  Manners& manners_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable something_left_;
  Simulator simulator_;
  Agenda agenda_;                     ///< what the host is to see
  Probe probe_;                       ///< since the device was idle, as a probe
  std::vector<FakeLaunch> launches_;  ///< by kernel of the probe
  std::vector<int> unfinished_;       ///< by kernel: blocks
  std::vector<int> waiting_;          ///< by kernel: blocks that have no place yet
  std::vector<FakeLaunch> held_;      ///< launches that wait for others of their connection
  Step left_out_;                     ///< a block that has no room until others leave
  std::vector<Inside> shut_in_;       ///< blocks that were not let go yet
  int seen_inside_ = 0;               ///< blocks of which the host is yet to see that they left
  Clock::time_point last_opened_{};
  std::map<const void*, int> ungated_;  ///< by stream: kernels to be run
  int config_ = 0;                      ///< what the latest launch preferred
  int largest_frame_ = 0;
  int probes_ = 0;  ///< so far
  std::uint64_t stamp_ns_ = 0;
  std::map<std::vector<int>, int> most_on_one_sm_;  ///< by threads, registers, local, shared
};

}  // namespace cuvier::gpu
