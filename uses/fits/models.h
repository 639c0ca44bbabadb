#pragma once

#include <optional>
#include <vector>

#include "hypotheses/hypothesis.h"
#include "uses/fits/orders.h"

namespace cuvier {

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

/// Those that are listed.
class ListedModels : public Models {
 public:
  explicit ListedModels(std::vector<Hypothesis> models) : models_(std::move(models)) {}

  std::optional<Hypothesis> next() override {
    if (next_ == models_.size()) return std::nullopt;
    return models_[next_++];
  }

 private:
  std::vector<Hypothesis> models_;
  std::size_t next_ = 0;
};

}  // namespace cuvier
