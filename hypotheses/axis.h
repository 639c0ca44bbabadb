#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace cuvier {

/// Which facts a device must have for a value to be among its hypotheses.
enum class Needs {
  nothing,
  gpc_map,    ///< Device::gpc_of_sm
  clusters,   ///< Device::largest_cluster(): without them nothing could show it
  tpcs,       ///< of several SMs: without them a TPC is an SM, and nothing could show it
  lone_tpcs,  ///< two GPCs of a single TPC at least: nothing else was seen to have the value
  lone_tpcs_and_clusters
};
constexpr bool of_lone_tpcs(Needs needs) {
  return needs == Needs::lone_tpcs || needs == Needs::lone_tpcs_and_clusters;
}

/// Whether a name is fleeting.
inline constexpr bool fleeting = true;
inline constexpr bool lasting = false;

/// A quantity that the formulas of an axis may read.
struct FormulaName {
  using Axes = std::array<std::string_view, 2>;

  constexpr FormulaName(std::string_view name, std::string_view meaning, int least, int most,
                        bool is_fleeting = lasting, Axes from = {}, Needs needs = Needs::nothing)
      : name(name),
        meaning(meaning),
        least(least),
        most(most),
        needs(needs),
        is_fleeting(is_fleeting),
        from(from) {}
  constexpr FormulaName(std::string_view name, std::string_view meaning, int least, int most,
                        Needs needs)
      : FormulaName(name, meaning, least, most, lasting, {}, needs) {}

  std::string_view name;
  std::string_view meaning;
  int least;  ///< that it can be
  int most;
  Needs needs;
  /// Another with each block, wherever it goes: what a rule says must be asked anew each time.
  bool is_fleeting;
  /// The axes that say what it is, of which that is all they say: without it they do not matter.
  Axes from;
};

/// FormulaName::from.
constexpr FormulaName::Axes said_by(std::string_view axis, std::string_view other = {}) {
  return {axis, other};
}

// What formulas count with of devices and kernels, at most:
// docs/reference/schemas/device.schema.json allows no more, but of blocks.
inline constexpr int kMostSms = 4096;
inline constexpr int kMostOfAnSm = 4096;     ///< blocks, or warps
inline constexpr int kMostOfAGroup = 65536;  ///< of SMs: the same
inline constexpr int kMostBlocks = 1 << 28;  ///< of a grid
inline constexpr int kMostRegisters = 255;   ///< of a thread
inline constexpr int kMostFile = 1 << 24;    ///< registers of an SM
inline constexpr int kMostShared = 1 << 24;  ///< bytes
inline constexpr int kMostLocal = 1 << 28;   ///< bytes of a thread

/// What formulas of an axis see and give (docs/reference/formulas.md).
struct FormulaInfo {
  enum class Gives {
    number,  ///< brought to the nearest one from `least` to `most`
    condition,
    order,  ///< a number, or a tuple of them; the smallest is first
    key,    ///< the same, within 2^30 in all
  };
  std::span<const FormulaName> names;
  Gives gives;
  std::string_view meaning;  ///< of what it gives
  int least = 0;
  int most = 0;

  constexpr bool orders() const { return gives == Gives::order || gives == Gives::key; }
};

/// One value of an axis: its name in files and on the command line, and what it means.
struct AxisValue {
  std::string_view name;
  std::string_view meaning;
  /// The same rule, written as a formula of the axis; empty where it has none.
  std::string_view formula = {};
  Needs needs = Needs::nothing;
  /// Considered only where no hypothesis without such a value is left: it explains what others do
  /// and more, so that no probe could exclude it; or it needs lone TPCs. Of an axis's several the
  /// later in its table is considered first: it explains less.
  bool last_resort = false;
  /// With it, a probe may have several outcomes (hypotheses/readings/choices.h).
  bool several_outcomes = false;
};

/// A literal of a condition: the axis has one of these values (a bit each). Of a formula nobody
/// knows whether it is one of them, so it may be; but not where it could read the axis that the
/// condition is about and does not, nor where the literal says that none is.
struct AxisLiteral {
  std::string_view axis;
  std::uint32_t values = 0;  ///< none: any formula
  bool no_formula = false;
};

/// When an axis matters at all: any of these conjunctions holds; none listed: always.
/// Where it does not, hypotheses that differ only in it are the same hypothesis.
using Relevance = std::span<const std::span<const AxisLiteral>>;

/// The part of the scheduler that an axis is about. Nothing else reads it (AxisTitle::part).
enum class Part {
  queue,          ///< which kernel is tried
  batches,        ///< how many blocks a pick places
  choice,         ///< which SM a block goes to
  warps,          ///< an SM's warp slots and registers
  shared_memory,  ///< an SM's shared memory; it reads axes of the warps, too
  admission,      ///< whether an SM that could take a block does
  clusters,       ///< where whole clusters go
  marks,          ///< what is written down for each SM
};

struct Formula;

/// What an axis is called, and what it is about.
struct AxisTitle {
  Part part;
  std::string_view name;
  std::string_view meaning;
  std::string_view begins = "";  ///< a sentence, which the meaning of each value ends
};

/// What is known of an axis without running anything: a row of the table.
struct AxisInfo : AxisTitle {
  std::span<const AxisValue> values;  ///< Algorithm 1's first
  Relevance matters_when = {};
  const FormulaInfo* formula = nullptr;  ///< none: the axis takes no formulas
};

/// The bits of a literal: one_of(A::x, A::y).
template <class... Values>
constexpr std::uint32_t one_of(Values... values) {
  return ((std::uint32_t{1} << static_cast<int>(values)) | ...);
}

}  // namespace cuvier
