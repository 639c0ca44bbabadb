#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hypotheses/assumptions.h"
#include "hypotheses/hypothesis.h"
#include "probes/fact.h"
#include "solver/finding/mismatches.h"
#include "solver/finding/pattern.h"
#include "solver/finding/spent.h"
#include "solver/smt/lemma.h"
#include "solver/space/survivors.h"

namespace cuvier {

/// How an inference or a check ends. Nothing else does.
enum class Verdict {
  identified,  ///< one behaviour left: one hypothesis, or several that were proved alike
  ambiguous,   ///< more than one left: nothing that splits them was found, or a budget ran out
  refuted,     ///< no hypothesis fits what was observed
  undecided,   ///< a solver gave up
};

std::string_view name_of(Verdict verdict);

/// Where no hypothesis explains everything: one that explains nearly all.
struct NearMiss {
  /// Would explain (nearly) all: the hypothesis, but for kernels of a class (SpecialCase).
  struct ButFor {
    std::string kernels;        ///< "registers per thread >= 96", "any kernel"
    std::string_view quantity;  ///< of these: "registers per thread"; none: any
    bool of_limit = false;      ///< a documented limit of the device is another, for any kernel
    std::string deviation;      ///< "room_warps=pooled_blocks", "takes 8 registers more"
    int wrong = 0;              ///< recordings, still
    int wrong_before = 0;
    int recordings = 0;  ///< altogether
  };

  Hypothesis hypothesis;
  std::vector<Mismatch> wrong;     ///< the facts that it gets wrong
  int facts = 0;                   ///< altogether
  std::optional<Pattern> pattern;  ///< in what is wrong
  std::optional<ButFor> but_for;
  std::vector<int> never_used;  ///< SMs on which it wrongly predicts blocks, and none was seen
};

/// A map of the SMs that is not the device file's. Under it a named order of SMs explains all that
/// was seen, where by the file none does. That it explains is all that is known of it.
struct OtherMap {
  Device device;         ///< with this map
  Hypothesis mechanism;  ///< the simplest that explains everything then
  int clusters = 0;      ///< that were seen, each on SMs of one GPC
  int carve_outs = 0;    ///< answers that show which SMs share one, each those of one TPC

  /// Whether more speaks for it than an order.
  bool settled() const { return clusters > 0 || carve_outs > 0; }
};

/// A probe of which not every run counts.
struct Discarded {
  std::string probe;
  int runs = 0;       ///< of the probe
  int discarded = 0;  ///< of these
  std::string reason;
};

/// One way in which launches differ, and how many of those asked were of each class.
struct CoveredFeature {
  std::string_view name;  ///< "warps per block"
  std::vector<std::pair<std::string_view, int>> classes;
};

/// One class of them.
struct LaunchKind {
  std::string_view feature;
  std::string_view name;
};

/// What was asked of a mechanism beside what told it.
struct Confirmed {
  int probes = 0;                                        ///< since anything was told
  int sessions = 1;                                      ///< that these and all others ran in
  int limits = 0;                                        ///< probes that fill a documented limit
  std::vector<CoveredFeature> features;                  ///< over all probes
  int pairs = 0;                                         ///< of kinds, seen in one launch
  std::vector<std::pair<LaunchKind, LaunchKind>> apart;  ///< never seen in one; some cannot be
  int special_cases = 0;        ///< the mechanism, but for kernels of one class
  int special_cases_shown = 0;  ///< of these, that some probe would have shown
};

/// What follows from a set of observations: what reports are made of.
struct Finding {
  Verdict verdict = Verdict::undecided;
  std::string reason;  ///< one sentence: "search found no probe that splits these"
  Device device;
  std::optional<Assumptions> assumed;   ///< what was considered; none: all that the device permits
  std::vector<std::string> channels;    ///< what the oracle shows beside the SM of each block
  bool voted = false;                   ///< runs of a probe were put to the vote
  std::string oracle;                   ///< who answered, or the files checked
  std::optional<Hypothesis> mechanism;  ///< the simplest survivor
  RecordingSet counted;                 ///< what it follows from, by an inference
  SurvivingValues surviving;
  std::array<bool, kAxes> open{};  ///< matters under some survivor, with more than one value left
  std::optional<Proof> proof;      ///< of what is left being alike, if that was tried
  int behaviours = 0;              ///< that were not proved alike among what is left; 0: not tried
  HypothesisCount count;
  int probes = 0;
  int telling = 0;  ///< of these, up to the last that told something; the rest only confirm
  int runs = 0;     ///< of these probes: each may run several times; 0: all were recorded
  std::vector<Discarded> discarded;    ///< in the order of the probes
  std::optional<Confirmed> confirmed;  ///< of what nothing more splits, by an inference
  double most_bits = 0;  ///< that one of these told: log2 of the hypotheses before over after
  double seconds = 0;
  Spent spent;  ///< of these, where an inference did so
  std::uint64_t seed = 0;
  std::vector<std::string> clash;   ///< refuted: recordings that no hypothesis explains together
  bool begins_anew = false;         ///< refuted: the oracle seems to start each probe anew
  std::optional<NearMiss> nearest;  ///< refuted: the best that was found
  /// Refuted, or an order was learned: maps without which no named one explains everything. The
  /// fewest groups first.
  std::vector<OtherMap> maps;
  std::vector<Mismatch> mismatches;  ///< with a single hypothesis: what it gets wrong
};

/// With nothing filled in but how and why it ended.
Finding ended_as(Verdict verdict, std::string reason);

/// The bits that all probes told together: log2 of the hypotheses at first over those left.
double told_bits(const Finding& finding);

/// A bound: nobody gets by with fewer probes if none of theirs tells more than the most telling
/// one did here. 0 where that is not known: nothing was told, or orders were learned, which are
/// not counted from the start.
int fewest_probes(const Finding& finding);

}  // namespace cuvier
