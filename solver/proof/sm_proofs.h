#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "solver/smt/statement.h"

namespace cuvier {

// What is to be shown of one SM, for claims about what it answers. A file for each part: its warps
// and registers (warps_facts.cpp, warps_proof.cpp), its shared memory (shared_proof.cpp), SMs with
// one block at a time (sole_block_proof.cpp), several blocks that come (several_proof.cpp), and
// whether blocks are let in (admission_proof.cpp), and what is written down for it
// (marks_proof.cpp).

/// What the choice of an SM rests on beside whether a block fits, and what else is seen.
struct Asked {
  bool room = false;
  bool usage = false;
  bool warp_slots = false;      ///< the oracle shows which subpartition each warp is on
  bool configurations = false;  ///< and each kernel's shared-memory configuration
};

/// What a formula of an axis reads, of which nothing is known.
template <class A>
Seen<A, TermInt> unknowns_of() {
  Seen<A, TermInt> seen;
  for (std::size_t name = 0; name < seen.values.size(); ++name) {
    seen.values[name] = unknown_int(std::string(A::names[name].name));
  }
  return seen;
}

using Quarters = PerSubpartition<Terms>;

/// Of which nothing is known.
Quarters unknown_quarters(const std::string& name);

/// An SM's warps, and what they hold, of which nothing is known. The pointer is at subpartition 0.
WarpFile<Terms> any_warps(const std::string& name);

/// That no subpartition has less than the next one.
TermBool falls(const Quarters& x);

/// The next warps of a block, wherever those before them went: of which nothing is known.
WarpPlacement::Dealing<Terms> any_dealing(const std::string& name);

/// Whether the warps of a block fit on an SM. Of a formula that looks around (WarpPlacement) it is
/// said, and claimed, that it finds room as long as any is left: then they fit where there is
/// enough in all. Asked warp by warp, solvers give up.
TermBool fits_warps(Statement& s, const OnKernel& on, const Hypothesis& h,
                    const WarpFile<Terms>& file);

/// Values that the warp pointer may have when a block comes: 1, only 0, where it never leaves
/// subpartition 0.
int pointers_of(const Device& device, const Hypothesis& h);

/// For a block to leave no fewer registers of its SM held.
Statement registers_grow(const Device& device, const Hypothesis& h);

/// For a block to let no other kernel fit on its SM, by warps and registers, that did not before.
Statement warps_shrink(const Device& device, const Hypothesis& h);

/// For what is held to fall from each subpartition to the next, always, as long as the pointer is
/// at subpartition 0 whenever a block comes: what each block holds does.
std::vector<Statement> stays_falling(const Device& device, const Hypothesis& h);

/// For the warps and registers of one SM to answer alike under two hypotheses, by induction: there
/// is a relation between the states under one and under the other that holds of idle SMs and that
/// everything which happens to an SM keeps. Tries all inductions worth trying, the simplest first,
/// until `hold` says that all that is to be shown for one holds. Statements are made as they are
/// asked for: most inductions fail by the first.
using Induction = std::vector<std::function<Statement()>>;
/// Whether warps are dealt alike, by relation and how each of the two places warps: it hangs on
/// nothing else, and takes long to work out.
using DealtAlike =
    std::map<std::tuple<std::string_view, WarpPlacement::Value, WarpPlacement::Value>, TermBool>;
bool some_warps_induction(const Device& device, const Hypothesis& a, const Hypothesis& b,
                          const Asked& asked, DealtAlike& known,
                          const std::function<bool(const Induction&)>& hold);

/// Whether a domain's configuration may be another than that which the kernel takes whose block
/// came first: it may outlive blocks, or a formula says what it becomes.
inline bool has_rule_of_configs(const Hypothesis& h) {
  return h.get<ConfigChange>() != ConfigChange::when_idle;
}

/// For the shared memory and carve-out of an SM to answer alike under two hypotheses: from equal
/// contents, and domains configured by the same kernels, both answer alike and put a block at the
/// same address. Releases do not depend on any axis. Where one has a rule of configurations, they
/// are of domains with the same ones, and leave them so: then both hypotheses must be of the same
/// domains (ConfigScope).
std::vector<Statement> shared_induction(const Device& device, const Hypothesis& a,
                                        const Hypothesis& b, const Asked& asked);

/// For a block to change nothing of what other SMs' shared memory answers about its kernel, and to
/// leave no less held on its own.
std::vector<Statement> shared_stays(const Device& device, const Hypothesis& h, const Asked& asked);

/// For a block to let no other kernel fit, by shared memory, on any SM, that did not before.
std::vector<Statement> shared_shrinks(const Device& device, const Hypothesis& h);

/// Beside warps_shrink and shared_shrinks, for a block to let no more blocks of another kernel fit
/// on an SM, one after another, than fitted before: of a cluster that shares SMs.
std::vector<Statement> several_shrink(const Device& device, const Hypothesis& h);

/// For rules that are about no resource to let the same blocks in.
Statement same_admission(const Device& device, const Hypothesis& a, const Hypothesis& b);

/// For the same to be written down for each SM, whatever happens.
Statement same_marks(const Device& device, const Hypothesis& a, const Hypothesis& b);

// SMs that never hold two blocks: how they deal with a second one is seen by nobody.

/// For no block to fit beside another under a hypothesis by which each SM is configured by itself
/// (ConfigScope::sm).
Statement sole_block(const Device& device, const Hypothesis& h);

/// For idle SMs to answer alike under two such hypotheses, wherever their warp pointers are. A
/// channel may show more of warps than that.
Statement idle_warps_alike(const Device& device, const Hypothesis& a, const Hypothesis& b,
                           const Asked& asked);
Statement idle_shared_alike(const Device& device, const Hypothesis& a, const Hypothesis& b,
                            const Asked& asked);

}  // namespace cuvier
