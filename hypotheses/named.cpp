#include "hypotheses/assumptions.h"

namespace cuvier {
namespace {

template <class Axis>
struct Is {
  typename Axis::Value value;
};

template <class... Axes>
Hypothesis algorithm_1_but(Is<Axes>... changes) {
  Hypothesis hypothesis;
  (hypothesis.set<Axes>(changes.value), ...);
  return hypothesis;
}

/// What an H100 and an H200 do.
Hypothesis hopper() {
  return algorithm_1_but(
      Is<TieBreak>{TieBreak::lone_tpcs_first}, Is<Numbering>{Numbering::by_gpc},
      Is<PointerReset>{PointerReset::never}, Is<ConfigScope>{ConfigScope::sm},
      Is<ConfigChange>{ConfigChange::when_idle_before},
      Is<ConfigTarget>{ConfigTarget::twice_the_blocks}, Is<SharedPlacement>{SharedPlacement::ring},
      Is<SharedRoom>{SharedRoom::every_interval}, Is<ClusterLimit>{ClusterLimit::eight},
      Is<ClusterGpc>{ClusterGpc::pass_by_pass}, Is<ClusterWait>{ClusterWait::passed_on_lone_tpcs});
}

// A source fixes what it speaks of; the rest of such a row is Algorithm 1's.
const std::vector<NamedHypothesis>& table() {
  static const std::vector<NamedHypothesis> rows = {
      {"algorithm-1", "the SM with most room, ties in the TPCs' order: Algorithm 1 as meant",
       "Wang et al., \"Randomized Testing Framework for Dissecting NVIDIA GPGPU Thread "
       "Block-To-SM Scheduling Mechanisms\": Algorithm 1, with line 28 as its Case 1.2 needs it",
       algorithm_1_but()},

      {"algorithm-1-as-printed", "the same to the letter: its line 28 compares warps with blocks",
       "Wang et al., the same paper, which its own Cases 1.2 and 1.3 contradict",
       algorithm_1_but(Is<RoomWarps>{RoomWarps::strict_warps})},

      {"round-robin", "SMs in turn; one without room is skipped",
       "what simulators and studies commonly assume",
       algorithm_1_but(Is<Selection>{Selection::round_robin})},

      {"bfa", "breadth-first allocation: the SM with the fewest resident warps",
       "a policy of the literature, known as BFA",
       algorithm_1_but(Is<Selection>{Selection::fewest_warps})},

      {"dfa", "depth-first allocation: the SM with the most resident warps among those with room",
       "a policy of the literature, known as DFA",
       algorithm_1_but(Is<Selection>{Selection::most_warps})},

      {"most-room", "the SM that could hold most blocks, counting what the whole SM has free",
       "Gilman et al., \"Demystifying the Placement Policies of the NVIDIA GPU Thread Block "
       "Scheduler for Concurrent Kernels\" (2020), which speaks of SMs and not of subpartitions",
       algorithm_1_but(
           Is<RoomWarps>{RoomWarps::pooled_blocks}, Is<SharedRoom>{SharedRoom::total_free},
           Is<WarpPlacement>{WarpPlacement::least_loaded}, Is<RegisterPool>{RegisterPool::per_sm})},

      {"bcs", "block CTA scheduling: an odd block follows its predecessor, others take most room",
       "Lee et al.: block CTA scheduling (BCS), over Algorithm 1",
       algorithm_1_but(Is<Selection>{Selection::paired})},

      {"simtbs", "SMs in turn; the pointer stays on a full SM until it has room",
       "simtbs, a published simulator",
       algorithm_1_but(Is<Selection>{Selection::sticky_round_robin})},

      // Its kernels never wait for local memory, and its SMs count free threads, registers and
      // bytes: no subpartitions, no addresses, no carve-out.
      {"gpgpu-sim", "TPCs in turn, SMs within a TPC in turn, pointers that survive kernels",
       "GPGPU-Sim: issue_block2core of its clusters, occupy_shader_resource_1block of its cores",
       algorithm_1_but(
           Is<LocalMemory>{LocalMemory::ignored}, Is<Hierarchy>{Hierarchy::tpc},
           Is<Selection>{Selection::round_robin}, Is<GroupSelection>{GroupSelection::round_robin},
           Is<TieBreak>{TieBreak::linear}, Is<CursorReset>{CursorReset::never},
           Is<WarpPlacement>{WarpPlacement::least_loaded}, Is<RegisterPool>{RegisterPool::per_sm},
           Is<RuntimeShared>{RuntimeShared::b0}, Is<ConfigScope>{ConfigScope::none},
           Is<SharedPlacement>{SharedPlacement::fragmented})},

      // What recordings leave open is as in Algorithm 1 here.
      {"rtx3090-as-recorded", "Algorithm 1 with what recordings of an RTX 3090 show otherwise",
       "corpus/rtx3090: all 133 facts",
       algorithm_1_but(Is<DispatchBatch>{DispatchBatch::pair},
                       Is<ConfigOccupancy>{ConfigOccupancy::quadrupled_registers},
                       Is<ConfigGate>{ConfigGate::preferred_if_dynamic})},

      {"a100-as-recorded", "Algorithm 1 with what recordings of an A100 show otherwise",
       "corpus/a100: all 133 facts",
       algorithm_1_but(Is<DispatchBatch>{DispatchBatch::pair},
                       Is<PairsInFlight>{PairsInFlight::drifting},
                       Is<ConfigOccupancy>{ConfigOccupancy::quadrupled_warps_and_registers},
                       Is<ConfigGate>{ConfigGate::preferred_if_dynamic})},

      {"rtx2080ti-as-recorded", "Algorithm 1 with what recordings of an RTX 2080 Ti show otherwise",
       "corpus/rtx2080ti: all 101 facts",
       algorithm_1_but(Is<DispatchBatch>{DispatchBatch::pair},
                       Is<PairsInFlight>{PairsInFlight::drifting_from_two})},
      {"hopper-as-recorded",
       "Algorithm 1 with what recordings of an H100 and an H200 show otherwise",
       "corpus/h100, corpus/h200: 109,405 of 109,427 facts",
       hopper()},
      // Its blocks fill an SM each: what else is so of it they do not show.
      {"b200-as-recorded", "GPC by GPC, the smallest first; clusters by the GPCs in turn",
       "five facts, measured by the author of github.com/StuartSul/gpu-experiments "
       "(blackwell/097): one block per SM, and clusters of 2, 4, 8 and 16",
       algorithm_1_but(Is<TieBreak>{TieBreak::gpc_smallest_first})},
  };
  return rows;
}

}  // namespace

std::span<const NamedHypothesis> named_hypotheses() { return table(); }

}  // namespace cuvier
