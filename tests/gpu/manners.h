#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "probes/family.h"

namespace cuvier::gpu {

/// What a real device and its driver do and a fake need not. Which SM a block goes to is the
/// mechanism's affair whatever is chosen here.
enum class Unkindness {
  late_start,          ///< blocks start 5 to 60 us after a launch reached the device, one by one
  slow_launch,         ///< a launch call takes 10 us to 1 ms, now and then 5 to 20 ms
  slow_stream,         ///< a stream's first launch takes 1 to 10 ms more; to create one is to wait
                       ///< for an idle device
  slow_release,        ///< a block leaves 5 to 100 us after its gate opened; others start later
  scattered_release,   ///< blocks of one release leave in several groups, where others wait
  driver_waits,        ///< a launch takes 0.2 to 3 ms more if it changes the carve-out
  cluster_waves,       ///< clusters beyond those that fit at once take SMs as they become free
  bad_smid,            ///< a block says that it is on an SM that there is not
  bad_slot,            ///< a warp says that it has a slot that there is not
  rounded_frames,      ///< the driver rounds frames up to 64 bytes
  rounded_registers,   ///< the driver gives some kernels one register more
  coarse_clock,        ///< the device's clock goes in steps of 1024 ns, from any origin
  late_first,          ///< of one launch in 100 the first block starts 3 ms late
  shared_connections,  ///< streams are dealt to 32 connections as they are made, and a kernel waits
                       ///< for all blocks to start that another stream of its connection has before
  short_of_room,       ///< every other grid like a runner's opening lacks its last block
  slow_kernel,       ///< one kernel in 200 takes 250 to 300 ms more at its first launch, or at its
                     ///< first in clusters; of each such launch it says so
  forgets_clusters,  ///< how many clusters run at once it says once, and then every other time
  mps                ///< it says that MPS shares the GPU
};

/// How a fake GPU behaves beside where it puts blocks: kind, but for the kinds of unkindness that
/// it is given. Draws for each kind come from a stream of their own, so one does not disturb
/// another. May be asked by several threads.
class Manners {
 public:
  using Duration = std::chrono::nanoseconds;

  /// `kinds`: names of Unkindness, or `all`, separated by commas; `-NAME` takes one away again.
  /// Throws Error where it names what there is not.
  Manners(const std::string& kinds, std::uint64_t seed);

  bool has(Unkindness kind) const { return kinds_.contains(kind); }

  /// What a launch call takes before and after it hands the launch to the device.
  struct Call {
    Duration before{0};
    Duration after{0};
  };
  Call launch_call(bool first_on_stream, bool changes_carve_out);

  Duration launch_to_start();
  Duration start_to_start();
  Duration open_to_exit();
  Duration exit_to_start();

  /// Of a kernel, alone or in clusters, that the driver has not launched so yet.
  Duration first_of_kernel();

  /// Whether such a grid gets no room for its last block; whether such a question is answered.
  bool is_short_of_room(int blocks, int slots, int local);
  bool tells_clusters(bool asked_before);

  /// Of so many blocks whose gates are open, how many leave before the others.
  int first_to_leave(int blocks);

  /// The moment as the device's clock shows it.
  std::uint64_t device_ns(std::uint64_t ns) const;

  /// Whether one block's record of this launch is to be wrong in this way, and which block's: -1
  /// for none. Only grids of fewer blocks than SMs, and of more than one, are drawn, one in eight:
  /// so the opening of a runner, which fills the device or launches single blocks, is spared.
  int wrong_block(Unkindness kind, int blocks, int sms);

  /// What the driver makes of a kernel's claim.
  int registers_of(int claimed) const;
  int frame_of(int claimed) const;

  /// `size` of these SMs of a GPC, that happen to be free.
  std::vector<int> free_sms(std::vector<int> sms, int size);

 private:
  Duration handover_to_start();
  int draw(Unkindness kind, int low, int high);
  Duration draw_us(Unkindness kind, int low, int high);

  std::set<Unkindness> kinds_;
  std::mutex mutex_;
  std::vector<Rng> draws_;  ///< by kind
  std::uint64_t origin_ns_ = 0;
};

}  // namespace cuvier::gpu
