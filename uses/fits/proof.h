#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probes/device.h"
#include "probes/probe.h"
#include "solver/smt/lemma.h"
#include "solver/smt/smt_query.h"

namespace cuvier {

/// Something that an SM has so much of, and how much of it a block of each kernel counts for.
struct Resource {
  std::string name;  ///< also in SMT-LIB
  int capacity = 0;
  std::vector<int> per_block;  ///< by kernel
};

/// A kernel of each kind: those that no resource tells apart are one, with the blocks of all, or as
/// many as an int counts: no device holds more.
std::vector<Kernel> demands_of(const std::vector<Kernel>& kernels);

/// What no scheduler can exceed, whatever it does: block slots, warp slots, registers in the
/// documented units of 256 a warp, and shared memory without what a runtime may reserve.
std::vector<Resource> limits(const Device& device, const std::vector<Kernel>& kinds);

/// What a scheduler that wastes nothing needs at most: a block fits wherever all of these suffice,
/// whichever subpartitions warps went to. `carve_out`: bytes of shared memory that an SM has.
/// - block slots
/// - warps and registers of one subpartition, each block's warps taken to be a multiple of four,
///   spread evenly (strict_round_robin, fixed_start)
/// - warps, where each has as many registers as any kernel's: they fit wherever room is (skip_full,
///   least_loaded)
/// - shared memory, in units of 128 bytes, with 1 KiB that the runtime reserves for each block
std::vector<Resource> needs(const Device& device, const std::vector<Kernel>& kinds, int carve_out);

/// What an SM may hold: how many blocks of each kind.
using Contents = std::vector<int>;

/// Whether it exceeds no resource.
bool is_within(const std::vector<Resource>& resources, const Contents& contents);

/// Whether one more block of the kind surely fits beside the contents. Beside none, any does that a
/// driver launches.
bool has_room(const std::vector<Resource>& needs, const Contents& contents, int kind);

/// The most that an SM can hold within the limits: any other such contents is part of one of these.
/// None where there are more than can be looked at.
std::optional<std::vector<Contents>> greatest(const std::vector<Resource>& limits);

// Claims about all schedulers.

/// That no block of the first so many kinds is ever left without room: neither is there a content
/// of an SM without room that has none of the listed ones in it, nor do the other blocks suffice to
/// fill every SM with a listed one. Blocks of the other kinds are resident, wherever that is. None
/// where there are too many to list.
std::optional<Lemma> nothing_is_stranded(const Device& device, const std::vector<Kernel>& kinds,
                                         int asked, int carve_out);

/// That the device does not hold all blocks of these kinds at once, wherever they are put. None
/// where there is too much to list.
std::optional<Lemma> all_do_not_fit(const Device& device, const std::vector<Kernel>& kinds);

/// What a solver says of the claim; `unsat` where it is proved.
struct AnsweredClaim {
  Lemma claim;
  SmtAnswer answer;

  bool holds() const { return answer.kind == SmtAnswer::Kind::unsat; }
};
AnsweredClaim prove(Lemma claim, const SmtLimits& limits);

}  // namespace cuvier
