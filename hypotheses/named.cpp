#include <algorithm>

#include "hypotheses/assumptions.h"

namespace cuvier {
namespace {

/// Algorithm 1 but for these: "AXIS=VALUE,AXIS=VALUE". What there is not does not compile.
consteval Hypothesis but(std::string_view changes) {
  Hypothesis hypothesis;
  while (!changes.empty()) {
    const std::string_view change = changes.substr(0, changes.find(','));
    const std::size_t equals = change.find('=');
    const int axis = find_axis(change.substr(0, equals)).value();
    std::uint8_t& value = hypothesis.values[axis];
    while (axis_info(axis).values[value].name != change.substr(equals + 1)) ++value;
    changes.remove_prefix(std::min(changes.size(), change.size() + 1));
  }
  return hypothesis;
}

}  // namespace

std::span<const NamedHypothesis> named_hypotheses() {
  // A source fixes what it speaks of; the rest of such a row is Algorithm 1's.
  static const std::vector<NamedHypothesis> rows = {
      {"algorithm-1", "the SM with most room, ties in the TPCs' order: Algorithm 1 as meant",
       "Wang et al., \"Randomized Testing Framework for Dissecting NVIDIA GPGPU Thread Block-To-SM "
       "Scheduling Mechanisms\": Algorithm 1, with line 28 as its Case 1.2 needs it",
       but("")},

      {"algorithm-1-as-printed", "the same to the letter: its line 28 compares warps with blocks",
       "Wang et al., the same paper, which its own Cases 1.2 and 1.3 contradict",
       but("room_warps=strict_warps")},

      {"round-robin", "SMs in turn; one without room is skipped",
       "what simulators and studies commonly assume", but("selection=round_robin")},

      {"bfa", "breadth-first allocation: the SM with the fewest resident warps",
       "a policy of the literature, known as BFA", but("selection=fewest_warps")},

      {"dfa", "depth-first allocation: the SM with the most resident warps among those with room",
       "a policy of the literature, known as DFA", but("selection=most_warps")},

      {"most-room", "the SM that could hold most blocks, counting what the whole SM has free",
       "Gilman et al., \"Demystifying the Placement Policies of the NVIDIA GPU Thread Block "
       "Scheduler for Concurrent Kernels\" (2020), which speaks of SMs and not of subpartitions",
       but("room_warps=pooled_blocks,shared_room=total_free,warp_placement=least_loaded,"
           "register_pool=per_sm")},

      {"bcs", "block CTA scheduling: an odd block follows its predecessor, others take most room",
       "Lee et al.: block CTA scheduling (BCS), over Algorithm 1", but("selection=paired")},

      {"simtbs", "SMs in turn; the pointer stays on a full SM until it has room",
       "simtbs, a published simulator", but("selection=sticky_round_robin")},

      // Its kernels never wait for local memory, and its SMs count free threads, registers and
      // bytes: no subpartitions, no addresses, no carve-out.
      {"gpgpu-sim", "TPCs in turn, SMs within a TPC in turn, pointers that survive kernels",
       "GPGPU-Sim: issue_block2core of its clusters, occupy_shader_resource_1block of its cores",
       but("local_memory=ignored,hierarchy=tpc,selection=round_robin,group_selection=round_robin,"
           "tie_break=linear,cursor_reset=never,warp_placement=least_loaded,register_pool=per_sm,"
           "runtime_shared=0,config_scope=none,shared_placement=fragmented")},

      // What recordings leave open is as in Algorithm 1 here.
      {"rtx3090-as-recorded", "Algorithm 1 with what recordings of an RTX 3090 show otherwise",
       "corpus/rtx3090: all 133 facts",
       but("dispatch_batch=pair,config_occupancy=quadrupled_registers,"
           "config_gate=preferred_if_dynamic")},

      {"a100-as-recorded", "Algorithm 1 with what recordings of an A100 show otherwise",
       "corpus/a100: all 133 facts",
       but("dispatch_batch=pair,pairs_in_flight=drifting,"
           "config_occupancy=quadrupled_warps_and_registers,config_gate=preferred_if_dynamic")},

      {"rtx2080ti-as-recorded", "Algorithm 1 with what recordings of an RTX 2080 Ti show otherwise",
       "corpus/rtx2080ti: all 101 facts",
       but("dispatch_batch=pair,pairs_in_flight=drifting_from_two")},
      {"hopper-as-recorded",
       "Algorithm 1 with what recordings of an H100 and an H200 show otherwise",
       "corpus/h100, corpus/h200: 109,405 of 109,427 facts",
       but("tie_break=lone_tpcs_first,numbering=by_gpc,pointer_reset=never,config_scope=sm,"
           "config_change=when_idle_before,config_target=twice_the_blocks,shared_placement=ring,"
           "shared_room=every_interval,cluster_limit=eight,cluster_gpc=pass_by_pass,"
           "cluster_wait=passed_on_lone_tpcs")},
      // Its blocks fill an SM each: what else is so of it they do not show.
      {"b200-as-recorded", "GPC by GPC, the smallest first; clusters by the GPCs in turn",
       "five facts, measured by the author of github.com/StuartSul/gpu-experiments "
       "(blackwell/097): one block per SM, and clusters of 2, 4, 8 and 16",
       but("tie_break=gpc_smallest_first")},
  };
  return rows;
}

}  // namespace cuvier
