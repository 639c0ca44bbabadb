#include "solver/smt/terms_domain.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace cuvier {
namespace {

// Of a block: CUDA's 1024 threads.
constexpr int kMostWarps = 32;

}  // namespace

template <>
Demand<Terms> demand<Terms>(const Kernel& k) {
  return {unknown_int(k.name + ".warps"),  unknown_int(k.name + ".registers"),
          unknown_int(k.name + ".shared"), kMostWarps,
          unknown_int(k.name + ".grid"),   unknown_int(k.name + ".local")};
}

namespace {

/// That the registers of a block are no more than the driver lets an SM have (scheduler.md,
/// section 1): warps count in fours, their registers in units of 256.
TermBool within_registers(const Demand<Terms>& k, const Device& device) {
  TermBool within = true;
  const TermInt of_warp = (k.registers * 32 + 255) / 256 * 256;
  for (int warps = 4; warps <= device.max_threads_per_block / 32; warps += 4) {
    within = within && (k.warps <= warps - 4 || of_warp * warps <= device.registers_per_sm);
  }
  return within;
}

}  // namespace

TermBool legal(const Demand<Terms>& k, const Device& device) {
  return k.warps >= 1 && k.warps <= device.max_threads_per_block / 32 && k.registers >= 1 &&
         k.registers <= device.max_registers_per_thread && k.shared >= 0 &&
         k.shared <= device.max_shared_per_block && within_registers(k, device);
}

namespace {

z3::sort space_sort() { return term_context().uninterpreted_sort(our("Space").c_str()); }

z3::expr space(const std::string& name) {
  return term_context().constant(our(name).c_str(), space_sort());
}

z3::expr nothing() { return space("nothing"); }

TermInt ask(const std::string& question, const std::optional<z3::expr>& contents,
            const std::vector<TermInt>& arguments) {
  z3::context& c = term_context();
  z3::sort_vector domain(c);
  z3::expr_vector terms(c);
  domain.push_back(space_sort());
  terms.push_back(contents.value_or(nothing()));
  for (const TermInt& argument : arguments) {
    domain.push_back(c.int_sort());
    terms.push_back(argument.term());
  }
  return TermInt(c.function(our(question).c_str(), domain, c.int_sort())(terms));
}

/// f(space) for a space that may be one of several.
TermInt of_space(const TermInt& space, const std::function<TermInt(int)>& f) {
  std::optional<TermInt> result;
  for (const auto& c : space.cases()) {
    result = result ? ite(c.when, f(c.value), *result) : f(c.value);
  }
  return *result;
}

}  // namespace

AddressSpace<Terms> AddressSpace<Terms>::any(const std::string& name) {
  AddressSpace spaces;
  for (int i = 0; i < kSpaces; ++i) {
    spaces.contents[i] = space(name + std::to_string(i));
  }
  spaces.before = spaces.contents;
  return spaces;
}

void AddressSpace<Terms>::allocate(const Bool& used, const Int& space, const Int& base,
                                   const Int& size, int owner) {
  z3::context& c = term_context();
  z3::sort_vector domain(c);
  domain.push_back(space_sort());
  for (int i = 0; i < 3; ++i) domain.push_back(c.int_sort());
  const z3::func_decl with = c.function(our("with").c_str(), domain, space_sort());
  arrived = arrived + ite(used, size, Int(0));
  for (const auto& at : space.cases()) {
    const Bool here = used && at.when;
    if (!possible(here)) continue;
    const z3::expr before = contents[at.value].value_or(nothing());
    z3::expr_vector arguments(c);
    arguments.push_back(before);
    arguments.push_back(base.term());
    arguments.push_back(size.term());
    arguments.push_back(c.int_val(owner));
    const z3::expr after = with(arguments);
    contents[at.value] = here.is_true() ? after : z3::ite(here.term(), after, before);
  }
}

void AddressSpace<Terms>::release(int owner) {
  z3::context& c = term_context();
  const z3::func_decl without =
      c.function(our("without").c_str(), space_sort(), c.int_sort(), space_sort());
  for (auto& space : contents) {
    if (space) space = without(*space, c.int_val(owner));
  }
  before = contents;
  arrived = 0;
}

TermInt AddressSpace<Terms>::total() const {
  Int sum = arrived;
  for (const auto& space : before) {
    if (space) sum = sum + ask("total", space, {});
  }
  return sum;
}

TermBool AddressSpace<Terms>::sound(const Int& space, const Int& capacity) const {
  return longest_gap(space, capacity) <= capacity && total() >= 0;
}

TermInt AddressSpace<Terms>::longest_gap(const Int& space, const Int& capacity) const {
  return of_space(space, [&](int i) {
    return contents[i] ? ask("longest_gap", contents[i], {capacity}) : capacity;
  });
}

TermInt AddressSpace<Terms>::units(const Int& space, const Int& capacity, const Int& size) const {
  return of_space(space, [&](int i) {
    return contents[i] ? ask("units", contents[i], {capacity, size}) : capacity / size;
  });
}

TermInt AddressSpace<Terms>::longest_ring_gap(const Int& capacity) const {
  return contents[0] ? ask("longest_ring_gap", contents[0], {capacity}) : capacity;
}

TermInt AddressSpace<Terms>::ring_units(const Int& capacity, const Int& size) const {
  return contents[0] ? ask("ring_units", contents[0], {capacity, size}) : capacity / size;
}

TermInt AddressSpace<Terms>::ring_fit(const Int& capacity, const Int& size) const {
  return contents[0] ? ask("ring_fit", contents[0], {capacity, size}) : Int(0);
}

TermInt AddressSpace<Terms>::first_multiple(const Int& space, const Int& capacity, const Int& size,
                                            const Int& step) const {
  return of_space(space, [&](int i) {
    return contents[i] ? ask("first_multiple", contents[i], {capacity, size, step})
                       : ite(size <= capacity, Int(0), capacity);
  });
}

TermInt AddressSpace<Terms>::fit_by(int placement, const Int& space, const Int& capacity,
                                    const Int& size) const {
  // A named value and its formula are asked as one.
  const auto values = axis_info(index_of<SharedPlacement>()).values;
  const std::string_view formula = axis_value(index_of<SharedPlacement>(), placement).formula;
  const auto named = std::ranges::find(values, formula, &AxisValue::formula);
  const std::string question =
      formula.empty() || named == values.end() ? "fit_by_" + std::to_string(placement)
                                               : std::string(named->name);
  return of_space(space, [&](int i) {
    return contents[i] ? ask(question, contents[i], {capacity, size}) : Int(0);
  });
}

TermBool AddressSpace<Terms>::same(const AddressSpace& a, int space_of_a, const AddressSpace& b,
                                   int space_of_b) {
  const auto& x = a.contents[space_of_a];
  const auto& y = b.contents[space_of_b];
  if (!x && !y) return true;
  return TermBool(x.value_or(nothing()) == y.value_or(nothing()));
}

}  // namespace cuvier
