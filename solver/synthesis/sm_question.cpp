#include "solver/synthesis/sm_question.h"

#include <algorithm>
#include <array>

#include "hypotheses/scheduler/sm_rules.h"

namespace cuvier {
namespace {

/// Two SMs of different TPCs under one hypothesis; the rest of the device is idle. Who is where is
/// known, only what the kernels ask for is not.
class TwoSms {
 public:
  TwoSms(const Device& device, const Hypothesis& h, const std::vector<MenuKernel>& kernels,
         bool warps_matter)
      : device_(device), d_{h}, kernels_(kernels), warps_matter_(warps_matter) {}

  SymbolicBool fits(int sm, int k) const {
    const One& s = sms_[sm];
    if (static_cast<int>(s.residents.size()) >= device_.max_blocks_per_sm) return false;
    return (warps_matter_ ? evaluate(FitsWarps{on(k)}, d_, s.warps) : SymbolicBool(true)) &&
           evaluate(FitsShared{on(k), idle(sm)}, d_, s.shared, config(sm, k), preferred(k),
                    bytes(k));
  }

  SymbolicInt room(int sm, int k) const {
    const One& s = sms_[sm];
    const int free = device_.max_blocks_per_sm - static_cast<int>(s.residents.size());
    return min(Int(free),
               min(evaluate(RoomForWarps{on(k)}, d_, s.warps),
                   evaluate(RoomInShared{on(k), idle(sm)}, d_, s.shared, config(sm, k), bytes(k))));
  }

  SymbolicInt preferred(int k) const { return evaluate(PreferredConfig{on(k)}, d_); }
  const std::vector<SymbolicInt>& last_route(int sm) const { return sms_[sm].warps.last_route; }

  void place(int sm, int k) {
    One& s = sms_[sm];
    const SymbolicInt in = config(sm, k);
    if (warps_matter_) s.warps = evaluate(PlaceWarps{on(k)}, d_, std::move(s.warps));
    s.shared = evaluate(PlaceShared{}, d_, std::move(s.shared), in, bytes(k));
    if (s.residents.empty()) s.setter = k;
    if (blocks() == 0) setter_ = k;
    s.residents.push_back(k);
  }

  void release(int sm, int k) {
    One& s = sms_[sm];
    const auto found = std::ranges::find(s.residents, k);
    const int position = static_cast<int>(found - s.residents.begin());
    if (warps_matter_) s.warps = evaluate(ReleaseWarps{position}, d_, std::move(s.warps));
    s.shared = evaluate(ReleaseShared{position}, d_, std::move(s.shared));
    s.residents.erase(found);
    if (blocks() > 0) return;
    for (One& each : sms_) each.warps = evaluate(IdleDeviceWarps{}, d_, std::move(each.warps));
  }

 private:
  using Int = SymbolicInt;

  struct One {
    WarpFile<MenuTerms> warps;
    SharedMemory<MenuTerms> shared;
    std::vector<int> residents;
    int setter = 0;  ///< the first since it was idle
  };

  std::size_t blocks() const { return sms_[0].residents.size() + sms_[1].residents.size(); }
  OnKernel on(int k) const { return {device_, kernels_[k]}; }
  SymbolicInt bytes(int k) const { return evaluate(SharedBytes{on(k)}, d_); }

  IdleDomains idle(int sm) const {
    const bool alone = sms_[sm].residents.empty();
    return {alone, alone, blocks() == 0};
  }

  SymbolicInt config(int sm, int k) const {
    const IdleDomains idle_here = idle(sm);
    const SymbolicInt own = preferred(k);
    const SymbolicInt by_sm = idle_here.sm ? own : preferred(sms_[sm].setter);
    const SymbolicInt by_device = idle_here.device ? own : preferred(setter_);
    return evaluate(CurrentConfig{&device_, idle_here}, d_, own, by_sm, by_sm, by_device);
  }

  const Device& device_;
  MenuTerms d_;
  const std::vector<MenuKernel>& kernels_;
  const bool warps_matter_;  ///< otherwise they always fit
  std::array<One, 2> sms_;
  int setter_ = 0;
};

SymbolicBool unlike(const SymbolicBool& a, const SymbolicBool& b) { return (a && !b) || (!a && b); }

/// Whether the two stand in another order.
SymbolicBool reordered(const SymbolicInt& x_a, const SymbolicInt& y_a, const SymbolicInt& x_b,
                       const SymbolicInt& y_b) {
  return unlike(x_a < y_a, x_b < y_b) || unlike(x_a == y_a, x_b == y_b);
}

}  // namespace

SmQuestion::SmQuestion(const Device& device, const Hypothesis& a, const Hypothesis& b,
                       const SmScript& script, const DemandMenu& menu, const Factors& factors,
                       const Asked& asked) {
  for (int k = 0; k <= script.kernels; ++k) kernels_.emplace_back(circuit_, k + 1, menu);
  for (const MenuKernel& kernel : kernels_) wanted_ = wanted_ && kernel.legal(device);
  TwoSms under_a(device, a, kernels_, factors.warps || asked.room);
  TwoSms under_b(device, b, kernels_, factors.warps || asked.room);
  for (const SmScript::Move& move : script.moves) {
    for (int sm = 0; sm < (move.on_second ? 2 : 1); ++sm) {
      for (TwoSms* sms : {&under_a, &under_b}) {
        if (move.release) {
          sms->release(sm, move.kernel);
        } else {
          wanted_ = wanted_ && sms->fits(sm, move.kernel);
          sms->place(sm, move.kernel);
        }
      }
    }
  }
  const int k = script.kernels;
  SymbolicBool differs = false;
  const SymbolicBool first_a = under_a.fits(0, k);
  const SymbolicBool first_b = under_b.fits(0, k);
  if (!asked.room) {
    differs = unlike(first_a, first_b);
    if (asked.configurations) {
      differs = differs || !(under_a.preferred(k) == under_b.preferred(k));
    }
    if (asked.warp_slots) {
      under_a.place(0, k);
      under_b.place(0, k);
      const auto& route_a = under_a.last_route(0);
      const auto& route_b = under_b.last_route(0);
      for (std::size_t w = 0; w < route_a.size(); ++w) {
        const SymbolicBool exists = kernels_[k].choice.warps > static_cast<int>(w);
        differs = differs || (first_a && first_b && exists && !(route_a[w] == route_b[w]));
      }
    }
  } else {
    wanted_ = wanted_ && first_a && first_b && under_a.fits(1, k) && under_b.fits(1, k);
    differs =
        reordered(under_a.room(0, k), under_a.room(1, k), under_b.room(0, k), under_b.room(1, k));
  }
  wanted_ = wanted_ && differs;
}

SmtAnswer SmQuestion::ask(const SmtLimits& limits) {
  return ask_z3(circuit_.smt2(wanted_.literal()), limits);
}

std::vector<Kernel> SmQuestion::take(const SmtAnswer& answer) {
  std::vector<Kernel> chosen;
  SymbolicBool same = true;
  for (const MenuKernel& kernel : kernels_) {
    chosen.push_back(kernel.chosen(answer.model));
    same = same && kernel.is(chosen.back());
  }
  wanted_ = wanted_ && !same;
  return chosen;
}

}  // namespace cuvier
