#pragma once

#include <string_view>
#include <vector>

#include "probes/family.h"
#include "probes/local_level.h"

namespace cuvier {

// Compilers order the arguments of a call, and the operands of an operator, as
// they like: no expression in the families draws from the generator twice.

/// True `percent` times in a hundred.
bool chance(Rng& rng, int percent);

/// `count` different numbers of [0, range), ascending.
std::vector<int> choose_some(Rng& rng, int count, int range);

/// The nearest kernel that the device accepts: first threads, shared memory and
/// grid are clamped, then the registers to what the driver allows for so many warps.
/// One with local memory has a level's, and a register count that is compiled for it.
/// One in clusters has whole ones of a size that the device launches, or none.
Kernel to_legal(Kernel kernel, const Device& device);

/// How many such blocks an idle SM holds by the documented limits. Hypotheses
/// differ from it at the edges; the families use it to choose sizes near them.
int nominal_fit(const Kernel& kernel, const Device& device);

/// The most registers per thread with which a subpartition holds `warps` warps.
int registers_for(int warps, const Device& device);

/// Dynamic shared memory with which `parts` blocks just fill `bytes`, give or
/// take what the runtime may reserve and one step of each possible granularity.
int shared_edge(int bytes, int parts, Rng& rng);

/// Any amount of dynamic shared memory up to a part of what a block may have.
int some_shared(const Device& device, int parts, Rng& rng);

/// A block of up to a quarter of an SM, with no resource near an edge.
Kernel moderate_block(const Device& device, Rng& rng);

/// Blocks of one warp, with as little of all else as there may be.
Kernel narrow_block(int blocks);

/// A block so small that it fits wherever a slot is free: where readers go
/// shows how the SMs differ.
Kernel small_block(Rng& rng, int blocks);

/// A block of more than half of the registers: one per SM, and room beside it.
Kernel bulky(const Device& device, Rng& rng);

/// What an SM runs out of first.
enum class Scarce { slots, warps, registers, shared };

/// A block of which `fit` fill an SM; as many as there are slots, where these are scarce.
Kernel filling_block(const Device& device, Scarce scarce, int fit);

/// A load that is heavy in one resource: an SM with few warps may have the most
/// blocks, or the least room, or be the fullest by shared memory.
Kernel one_sided(const Device& device, Rng& rng);

/// A block whose preferred configuration lies near a supported one: how many of
/// them an SM holds (by warps, by registers in several readings, or one) times
/// what each takes.
Kernel carver(const Device& device, Rng& rng);

/// Takes so many of what is there out of it: any.
Release take_some(Release& there, int count, Rng& rng);

/// A probe in the making: kernels are named and launched in the order given.
class Draft {
 public:
  Draft(std::string_view family, const Device& device);

  /// Adds the kernel, made legal, and launches it. Its index.
  int launch(Kernel kernel);

  /// Releases whole kernels, in one action.
  void release(const std::vector<int>& kernels);

  /// Releases some blocks of kernels, in one action. Nothing where none is named.
  void release_blocks(const std::vector<Release>& releases);

  /// Releases all that was launched: the device becomes idle.
  void release_everything();

  int kernels() const { return static_cast<int>(probe_.kernels.size()); }
  const Kernel& kernel(int index) const { return probe_.kernels[index]; }

  Probe finish() { return std::move(probe_); }

 private:
  const Device& device_;
  Probe probe_;
};

/// What plugging blocks keep from others.
enum class Plug {
  everything,  ///< registers and shared memory; sets the largest configuration
  registers,   ///< registers; sets a small configuration
};

/// Occupies all SMs but `open` with one block each, so that what follows needs
/// few blocks to fill what is left. Either the last SMs stay open, or SMs are
/// released after all were taken: any, or two that are likely to be mates in a
/// TPC. The index of the plugging kernel.
int plug(Draft& draft, const Device& device, Rng& rng, Plug what, int open);

/// Plugs all SMs but a few, up to `most`: how many stay open.
int plug_all_but_few(Draft& draft, const Device& device, Rng& rng, int most);

/// Opens gaps in the regular pattern that launches alone make.
void thin_out(Draft& draft, Rng& rng);

/// Blocks of whole rounds of warps, on `blocks` SMs, until a subpartition has
/// only `left` warp slots: then slots do what registers do elsewhere, even
/// where the SM's registers are one pool.
void take_slots(Draft& draft, const Device& device, int left, int blocks);

// One file each. What a family is for stands above its definition and, in one
// line, in the table of family.cpp.
void draw_carve_out(Draft& draft, const Device& device, Rng& rng);
void draw_clusters(Draft& draft, const Device& device, Rng& rng);
void draw_crowded_clusters(Draft& draft, const Device& device, Rng& rng);
void draw_edges(Draft& draft, const Device& device, Rng& rng);
void draw_emptying(Draft& draft, const Device& device, Rng& rng);
void draw_fragmentation(Draft& draft, const Device& device, Rng& rng);
void draw_granularity(Draft& draft, const Device& device, Rng& rng);
void draw_holes(Draft& draft, const Device& device, Rng& rng);
void draw_iterations(Draft& draft, const Device& device, Rng& rng);
void draw_large_grid(Draft& draft, const Device& device, Rng& rng);
void draw_local_memory(Draft& draft, const Device& device, Rng& rng);
void draw_nearly_full(Draft& draft, const Device& device, Rng& rng);
void draw_order(Draft& draft, const Device& device, Rng& rng);
void draw_overtaking(Draft& draft, const Device& device, Rng& rng);
void draw_paper_random(Draft& draft, const Device& device, Rng& rng);
void draw_queueing(Draft& draft, const Device& device, Rng& rng);
void draw_reconfiguring(Draft& draft, const Device& device, Rng& rng);
void draw_room(Draft& draft, const Device& device, Rng& rng);
void draw_selection(Draft& draft, const Device& device, Rng& rng);
void draw_succession(Draft& draft, const Device& device, Rng& rng);
void draw_turnover(Draft& draft, const Device& device, Rng& rng);
void draw_unequal(Draft& draft, const Device& device, Rng& rng);
void draw_uniform_filling(Draft& draft, const Device& device, Rng& rng);
void draw_waiting_grid(Draft& draft, const Device& device, Rng& rng);
void draw_warp_pointer(Draft& draft, const Device& device, Rng& rng);
void draw_waves(Draft& draft, const Device& device, Rng& rng);

}  // namespace cuvier
