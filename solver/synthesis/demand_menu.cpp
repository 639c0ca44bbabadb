#include "solver/synthesis/demand_menu.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuvier {
namespace {

// Of each: the numbers that a quantity may be multiply.
constexpr std::size_t kMostOnMenu = 6;

/// Distinct and ascending; of too many, the first.
std::vector<int> menu_of(const std::vector<int>& values, int least, int most) {
  std::vector<int> menu;
  for (const int value : values) {
    const int within = std::clamp(value, least, most);
    if (std::ranges::find(menu, within) == menu.end()) menu.push_back(within);
  }
  menu.resize(std::min(menu.size(), kMostOnMenu));
  std::ranges::sort(menu);
  return menu;
}

// Of a formula no unit is known: the finest is as good as any.

/// The most registers per thread with which a subpartition holds so many warps.
int registers_for(int warps, const Device& device, const Hypothesis& h) {
  const int unit = std::max(256, RegisterGranularity::unit(h.get<RegisterGranularity>()));
  return device.registers_per_subpartition() / warps / unit * unit / 32;
}

/// The most dynamic shared memory of which so many blocks fit into so many bytes.
int shared_for(int blocks, int bytes, const Hypothesis& h) {
  const int unit = std::max(128, SharedGranularity::unit(h.get<SharedGranularity>()));
  const int reserved = RuntimeShared::bytes(Concrete{h}, 0, 1, kFewestRegisters);
  return (bytes / blocks - reserved) / unit * unit;
}

std::string input_name(const std::string& what, int value) {
  return fmt::format("{}={}", what, value);
}

/// `exclusive` numbers the choice.
SymbolicInt choice_among(Circuit& circuit, const std::string& what, const std::vector<int>& values,
                         int exclusive) {
  if (values.size() == 1) return values.front();
  SymbolicInt::Cases cases;
  std::vector<Circuit::Literal> inputs;
  for (const int value : values) {
    inputs.push_back(circuit.input(input_name(what, value), exclusive));
    cases.push_back({value, SymbolicBool(circuit, inputs.back())});
  }
  circuit.require_one_of(inputs);
  return SymbolicInt(std::move(cases));
}

int chosen_among(const std::string& what, const SymbolicInt& choice,
                 const std::map<std::string, int>& model) {
  for (const auto& c : choice.cases()) {
    const auto found = model.find(input_name(what, c.value));
    if (found != model.end() && found->second == 1) return c.value;
  }
  return choice.cases().front().value;
}

}  // namespace

std::vector<DemandMenu> demand_menus(const Device& device, const Hypothesis& a, const Hypothesis& b,
                                     const Factors& factors) {
  const int most_warps = device.max_threads_per_block / 32;
  const int largest = device.largest_config();
  const auto warps = [&](const std::vector<int>& values) { return menu_of(values, 1, most_warps); };
  const auto registers = [&](const std::vector<int>& values) {
    return menu_of(values, kFewestRegisters, device.max_registers_per_thread);
  };
  const auto shared = [&](const std::vector<int>& values) {
    return menu_of(values, 0, device.max_shared_per_block);
  };

  std::vector<int> parts;
  std::vector<int> edges{kFewestRegisters};
  for (const int count : {3, 4, 2, 5}) parts.push_back(registers_for(count, device, a));
  for (const int count : {3, 5, 7}) {
    for (const Hypothesis* h : {&a, &b})
      edges.push_back(registers_for(count, device, *h) + count % 2);
  }
  std::vector<int> holes;
  std::vector<int> configs{0};
  std::vector<int> units{0, 1};
  for (const int count : {2, 3, 4, 6}) holes.push_back(shared_for(count, largest, a));
  for (const int config : device.shared_configs) {
    for (const Hypothesis* h : {&a, &b}) configs.push_back(shared_for(1, config, *h));
  }
  for (const int count : {1, 3, 5}) {
    for (const Hypothesis* h : {&a, &b}) units.push_back(shared_for(count, largest, *h));
  }
  std::vector<DemandMenu> menus = {{warps({1, 2, 3, 4}), registers(parts), shared(holes)},
                                   {warps({1, 2, 4, 6, 7, 8}), registers(edges), shared(configs)},
                                   {warps({1, 4, 8, 12, 16, 32}), registers(parts), shared(units)}};
  const auto contiguous = [](const Hypothesis& h) {
    return h.get<RegisterLayout>() == RegisterLayout::contiguous;
  };
  if (contiguous(a) || contiguous(b)) {
    // Each warp has an interval, in one subpartition or another: the fewer, the better.
    menus = {{warps({4}), registers(parts), shared(holes)},
             {warps({1, 2, 3, 4}), registers({parts[0], parts[2]}), shared(configs)},
             {warps({4}), registers(edges), shared(units)}};
  }
  const auto deals = [](const Hypothesis& h) {
    const WarpPlacement::Value v = h.get<WarpPlacement>();
    return v == WarpPlacement::skip_full || v == WarpPlacement::least_loaded;
  };
  if (deals(a) || deals(b)) {
    // Where a warp goes depends on where those before it went.
    menus[1].warps = warps({1, 2, 4, 6});
    menus[2].warps = warps({4, 8});
  }
  // What answers alike whatever it is asked is asked for little.
  for (DemandMenu& menu : menus) {
    if (!factors.warps) {
      const bool by_occupancy = a.get<ConfigOccupancy>() != b.get<ConfigOccupancy>();
      menu.warps = by_occupancy ? warps({1, 4, 16}) : warps({1});
      menu.registers = by_occupancy ? registers({16, 64, 128, 255}) : registers({16});
    }
    if (!factors.shared) menu.shared = {0};
  }
  return menus;
}

MenuKernel::MenuKernel(Circuit& circuit, int number, const DemandMenu& menu) {
  name = fmt::format("k{}", number);
  const int choices = 3 * number;
  choice = {choice_among(circuit, name + ".warps", menu.warps, choices + 1),
            choice_among(circuit, name + ".registers", menu.registers, choices + 2),
            choice_among(circuit, name + ".shared", menu.shared, choices + 3), menu.warps.back()};
}

Kernel MenuKernel::chosen(const std::map<std::string, int>& model) const {
  return {.name = name,
          .threads = 32 * chosen_among(name + ".warps", choice.warps, model),
          .registers = chosen_among(name + ".registers", choice.registers, model),
          .shared = chosen_among(name + ".shared", choice.shared, model)};
}

SymbolicBool MenuKernel::is(const Kernel& kernel) const {
  return choice.warps == kernel.warps() && choice.registers == kernel.registers &&
         choice.shared == kernel.shared;
}

SymbolicBool MenuKernel::legal(const Device& device) const {
  const SymbolicInt per_warp = (choice.registers * 32 + 255) / 256 * 256;
  return per_warp * ((choice.warps + 3) / 4 * 4) <= device.registers_per_sm;
}

}  // namespace cuvier
