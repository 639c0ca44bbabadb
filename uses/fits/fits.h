#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "uses/fits/launching.h"
#include "uses/fits/orders.h"
#include "uses/fits/others.h"
#include "uses/fits/proof.h"

namespace cuvier {

/// Whether kernels that never end are all resident at once.
struct Fits {
  enum class Verdict {
    always,       ///< under every order of arrival, by every scheduler that wastes no room
    under_model,  ///< under every order of arrival, by these hypotheses
    unsafe,       ///< an order strands a block
    never,        ///< every order does
    undecided,
  };

  Verdict verdict = Verdict::undecided;
  std::string reason;  ///< one sentence
  /// What orders of launches lead to under one hypothesis: anything but `always`.
  struct Asked {
    Hypothesis hypothesis;
    Verdict verdict;
  };

  std::optional<AnsweredClaim> proof;  ///< what `always` or `never` rests on, or was tried for it
  std::string why_not_always;          ///< what a proof about every scheduler lacks; empty: nothing
  std::optional<Order> stranding;      ///< an order that strands a block
  bool is_smallest = false;            ///< of all such orders
  Beside beside;                       ///< what is beside the kernels then
  std::optional<Order> safe;           ///< an order that strands none, under `hypothesis` or all,
                                       ///< where nothing is beside the kernels
  Hypothesis hypothesis{};             ///< under which `stranding` strands one
  std::vector<int> refused;  ///< launched cooperatively, and not even alone on the device:
                             ///< the driver launches none of it
  std::vector<Asked> asked;  ///< under whom launches were predicted
  int launches = 0;          ///< that were
  int places = 0;            ///< where others may be, that were looked at

  std::vector<Hypothesis> looked_at() const;
};

/// Whether a probe can show the order that strands a block.
bool is_a_probe(const Fits& fits);

/// Under whom kernels are to be safe, one after another.
class Models {
 public:
  virtual ~Models() = default;

  /// Somebody who was not looked at yet; none where that is all.
  virtual std::optional<Hypothesis> next() = 0;

  /// Whether one under whom a block is stranded is enough, or all are to be asked.
  virtual bool one_is_enough() const { return false; }

  /// Under the one whom next() named last these are all orders, and none strands a block.
  virtual void all_orders_are_safe(const std::vector<Order>&, const std::vector<Kernel>&) {}
};

struct FitsLimits {
  SmtLimits smt{};
  OrderLimits orders{};         ///< under each hypothesis
  int most_launches = 400'000;  ///< under all of them

  FitsLimits() = default;
  /// As part of that task. Where it is to end, Stopped is thrown.
  explicit FitsLimits(const Task& task) : smt{.task = task}, orders{.task = task} {}
};

/// Throws Error where a kernel is not legal on the device, the device's facts do not suffice for a
/// hypothesis, the others have no place, or there is no hypothesis. On a device on which nothing
/// else is than the others.
Fits fits(const Device& device, Models& models, const KernelSet& set,
          const FitsLimits& limits = {});
Fits fits(const Device& device, const std::vector<Hypothesis>& hypotheses, const KernelSet& set,
          const FitsLimits& limits = {});

/// Whether this is an answer of which nothing has to be changed.
bool is_safe(const Fits& fits);

/// That no scheduler that wastes no room strands a block, wherever others are, as far as it can be
/// claimed.
struct EveryScheduler {
  std::optional<AnsweredClaim> answered;
  std::string why_not;  ///< it does not hold, or nothing can be claimed; empty: it holds
};
EveryScheduler every_scheduler(const Device& device, const std::vector<Hypothesis>& hypotheses,
                               const KernelSet& set, const SmtLimits& limits = {});

/// Why kernels do not get to be resident together whatever room there is, if they do not: one
/// waits for another in its stream, or they are more than the device takes.
std::optional<std::string> kept_apart(const Device& device, const KernelSet& set);

}  // namespace cuvier
