#include "hypotheses/scheduler/address_space.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <compare>
#include <vector>

#include "hypotheses/readings/concrete.h"

namespace cuvier {
namespace {

/// An integer that is none to the compiler: gaps are then found without sorting.
struct Number {
  int value = 0;
  Number(int v = 0) : value(v) {}
  auto operator<=>(const Number&) const = default;
};
Number operator+(Number a, Number b) { return a.value + b.value; }
Number operator-(Number a, Number b) { return a.value - b.value; }
Number operator*(Number a, Number b) { return a.value * b.value; }
Number operator/(Number a, Number b) { return a.value / b.value; }
Number operator%(Number a, Number b) { return a.value % b.value; }
Number ite(bool condition, Number then, Number otherwise) { return condition ? then : otherwise; }

int value_of(Number number) { return number.value; }
int value_of(int number) { return number; }

template <class D>
class AddressSpaces : public ::testing::Test {};
using Domains = ::testing::Types<Concrete, UnderHypothesis<Number, bool>>;
TYPED_TEST_SUITE(AddressSpaces, Domains);

constexpr int kCapacity = 6;

/// Who holds each address of one space; -1: nobody.
using Cells = std::array<int, kCapacity>;

struct Piece {
  int base;
  int size;
};

/// The free intervals, cell by cell.
std::vector<Piece> gaps_of(const Cells& cells) {
  std::vector<Piece> gaps;
  for (int at = 0; at < kCapacity; ++at) {
    if (cells[at] >= 0) continue;
    if (at == 0 || cells[at - 1] >= 0) gaps.push_back({at, 0});
    ++gaps.back().size;
  }
  return gaps;
}

/// Where so many cells go in a ring, cell by cell: into the gap around its beginning, or else into
/// the first one behind; -1: nowhere.
int ring_fit(const Cells& cells, int size) {
  const auto at = [&](int cell) { return (cell + kCapacity) % kCapacity; };
  const auto is_free = [&](int cell) { return cells[at(cell)] < 0; };
  const auto fits = [&](int from) {
    for (int i = 0; i < size; ++i) {
      if (!is_free(from + i)) return false;
    }
    return true;
  };
  if (std::ranges::all_of(cells, [](int owner) { return owner < 0; })) return 0;
  int start = 0;
  while (is_free(0) && is_free(start - 1)) --start;
  for (int from = start; from < kCapacity; ++from) {
    if ((from == start || !is_free(from - 1)) && fits(from)) return at(from);
  }
  return -1;
}

template <class D>
void expect_alike(const AddressSpace<D>& space, const Cells& cells, int other_total) {
  const std::vector<Piece> gaps = gaps_of(cells);
  int held = 0;
  for (const int owner : cells) held += owner >= 0;
  int longest = 0;
  for (const Piece& gap : gaps) longest = std::max(longest, gap.size);
  ASSERT_EQ(value_of(space.total()), held + other_total);
  ASSERT_EQ(value_of(space.longest_gap(0, kCapacity)), longest);
  for (int size = 1; size <= kCapacity; ++size) {
    int units = 0;
    const Piece* first = nullptr;
    const Piece* best = nullptr;
    for (const Piece& gap : gaps) {
      units += gap.size / size;
      if (gap.size < size) continue;
      if (!first) first = &gap;
      if (!best || gap.size < best->size) best = &gap;
    }
    ASSERT_EQ(value_of(space.units(0, kCapacity, size)), units);
    for (int step = 1; step <= kCapacity; ++step) {
      int lowest = 0;
      const auto is_free = [&](const Piece& gap) {
        return gap.base <= lowest && lowest + size <= gap.base + gap.size;
      };
      while (lowest < kCapacity && std::ranges::none_of(gaps, is_free)) lowest += step;
      ASSERT_EQ(value_of(space.first_multiple(0, kCapacity, size, step)),
                std::min(lowest, kCapacity));
    }
    const int in_ring = ring_fit(cells, size);
    ASSERT_EQ(value_of(space.longest_ring_gap(kCapacity)) >= size, in_ring >= 0);
    if (in_ring >= 0) {
      ASSERT_EQ(value_of(space.ring_fit(kCapacity, size)), in_ring);
    }
    if (!first) continue;
    ASSERT_EQ(value_of(space.first_fit(0, kCapacity, size)), first->base);
    ASSERT_EQ(value_of(space.best_fit(0, kCapacity, size)), best->base);
  }
}

/// Every way to place up to so many more owners' intervals, in any order of their addresses.
template <class D>
void place(const AddressSpace<D>& space, const Cells& cells, int owners, int& seen) {
  ++seen;
  expect_alike(space, cells, 0);
  // Another space, and what is not there after all, do not matter to this one.
  AddressSpace<D> more = space;
  more.allocate(true, 1, 0, 4, owners);
  more.allocate(false, 0, 0, kCapacity, owners);
  expect_alike(more, cells, 4);

  for (int gone = 0; gone < owners; ++gone) {
    AddressSpace<D> less = space;
    less.release(gone);
    Cells left = cells;
    for (int& owner : left) {
      if (owner == gone) owner = -1;
    }
    expect_alike(less, left, 0);
    // The owners after it have moved up.
    if (gone + 1 == owners) continue;
    less.release(gone);
    for (int& owner : left) {
      if (owner == gone + 1) owner = -1;
    }
    expect_alike(less, left, 0);
  }

  if (owners == 3) return;
  for (int base = 0; base < kCapacity; ++base) {
    Cells filled = cells;
    for (int size = 1; base + size <= kCapacity && cells[base + size - 1] < 0; ++size) {
      filled[base + size - 1] = owners;
      AddressSpace<D> larger = space;
      larger.allocate(true, 0, base, size, owners);
      place(larger, filled, owners + 1, seen);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(AddressSpaces, AreAsTheirCellsOneByOne) {
  Cells none;
  none.fill(-1);
  int seen = 0;
  place(AddressSpace<TypeParam>{}, none, 0, seen);
  EXPECT_GT(seen, 500);
}

}  // namespace
}  // namespace cuvier
