#include <fmt/format.h>

#include "hypotheses/readings/choices.h"
#include "hypotheses/readings/concrete_reading.h"
#include "hypotheses/scheduler/on_kernel.h"
#include "solver/proof/choice_proof.h"

namespace cuvier {
namespace {

/// A pick that is to be made.
struct Pick {
  Demand<Terms> block;
  TermInt left;      ///< of the kernel, before it
  TermInt counted;   ///< the same, as old as batch_lag has it
  TermInt blocks;    ///< of the grid
  TermInt resident;  ///< on the SM
};

TermInt size_under(const Hypothesis& h, const Pick& pick, int sms) {
  const auto& [block, left, counted, blocks, resident] = pick;
  const auto size = h.get<BatchSize>();
  if (size != BatchSize::one_or_two) {
    return min(
        left, number_by_formula<BatchSize, Terms>(
                  size, {left, blocks, block.warps, sms, block.registers, block.shared, resident}));
  }
  const auto batch = h.get<DispatchBatch>();
  if (batch == DispatchBatch::single) return 1;
  const TermInt margin = BatchMargin::blocks(h.get<BatchMargin>());
  const TermBool many = batch == DispatchBatch::pair
                            ? counted > margin + 2 * sms
                            : condition_by_formula<DispatchBatch, Terms>(
                                  batch, {counted, blocks, TermInt(sms), margin});
  return min(left, ite(many, TermInt(2), TermInt(1)));
}

}  // namespace

std::optional<Statement> same_pick_sizes(const Device& device, const Hypothesis& a,
                                         const Hypothesis& b) {
  if (a.get<PairsInFlight>() != b.get<PairsInFlight>()) return std::nullopt;
  if (a.get<Numbering>() != b.get<Numbering>()) return std::nullopt;
  const bool a_counts_late = a.get<BatchSize>() == BatchSize::one_or_two;
  const bool b_counts_late = b.get<BatchSize>() == BatchSize::one_or_two;
  // Of what drifts, one may count as late as it likes and the other not.
  if (a_counts_late != b_counts_late && leaves_open(a)) return std::nullopt;
  const auto lag = (a_counts_late ? a : b).get<BatchLag>();
  if (a_counts_late && b_counts_late && lag != b.get<BatchLag>()) return std::nullopt;
  Statement s("batches", fmt::format("Under {} and {} each pick takes as many places.", describe(a),
                                     describe(b)));
  const Pick pick{demand<Terms>(kernel_named("kernel")), unknown_int("left"),
                  unknown_int("counted"), unknown_int("blocks"), unknown_int("resident")};
  s.assume(legal(pick.block, device));
  s.assume(pick.left >= 1 && pick.left <= pick.counted && pick.counted <= pick.blocks);
  s.assume(pick.blocks <= kMostBlocks);
  s.assume(pick.resident >= 0 && pick.resident < device.max_blocks_per_sm);
  if (BatchLag::picks(lag) == 0) s.assume(pick.counted == pick.left);
  s.claim(size_under(a, pick, device.sms) == size_under(b, pick, device.sms));
  return s;
}

}  // namespace cuvier
