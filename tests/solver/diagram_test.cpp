#include "solver/space/diagram.h"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <vector>

namespace cuvier {
namespace {

/// A function of four axes, the first and the last among them, as a table: what diagrams are held
/// to, for all combinations of these axes' values.
constexpr std::array<int, 4> used_axes = {0, 4, 11, kAxes - 1};

std::vector<Hypothesis> combinations() {
  std::vector<Hypothesis> all{{}};
  for (const int axis : used_axes) {
    std::vector<Hypothesis> more;
    for (const Hypothesis& each : all) {
      for (int value = 0; value < axis_size(axis); ++value) {
        more.push_back(each);
        more.back().values[axis] = static_cast<std::uint8_t>(value);
      }
    }
    all = std::move(more);
  }
  return all;
}

using Table = std::vector<int>;

class DiagramTables : public ::testing::Test {
 protected:
  /// The diagram of a table, put together from literals.
  Ref diagram_of(const Table& table) {
    std::map<int, Ref> where;  // the table has the value
    for (std::size_t row = 0; row < rows.size(); ++row) {
      Ref here = diagrams.yes();
      for (const int axis : used_axes) {
        here = diagrams.both(here, diagrams.literal(axis, 1u << rows[row].values[axis]));
      }
      const auto [found, added] = where.try_emplace(table[row], here);
      if (!added) found->second = diagrams.either(found->second, here);
    }
    Ref result = diagrams.no();
    for (const auto& [value, set] : where) {
      result = diagrams.apply(std::array{result, set},
                              [value = value](const auto& v) { return v[1] ? value : v[0]; });
    }
    return result;
  }

  Table table_of(Ref f) const {
    Table table;
    for (const Hypothesis& row : rows) table.push_back(diagrams.value_at(f, row));
    return table;
  }

  Table drawn(int values) {
    Table table;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      table.push_back(static_cast<int>(rng() % values));
    }
    return table;
  }

  template <class F>
  static Table combined(const Table& a, const Table& b, const F& f) {
    Table table;
    for (std::size_t row = 0; row < a.size(); ++row) table.push_back(f(a[row], b[row]));
    return table;
  }

  const std::vector<Hypothesis> rows = combinations();
  Diagrams diagrams;
  std::mt19937 rng{3};
};

TEST_F(DiagramTables, AreWhatTheyWereMadeOfAndEqualIfThatIs) {
  for (int i = 0; i < 20; ++i) {
    const Table table = drawn(3);
    const Ref f = diagram_of(table);
    EXPECT_EQ(table_of(f), table);
    Ref other = diagrams.no();  // the same, put together the other way round
    for (int value = 2; value > 0; --value) {
      const Ref set = diagram_of(combined(table, table, [&](int v, int) { return v == value; }));
      other = diagrams.apply(std::array{set, other},
                             [&](const auto& v) { return v[0] ? value : v[1]; });
    }
    EXPECT_EQ(other, f);
  }
}

TEST_F(DiagramTables, AreCombinedAsSets) {
  for (int i = 0; i < 20; ++i) {
    const Table a = drawn(2);
    const Table b = drawn(2);
    const Ref f = diagram_of(a);
    const Ref g = diagram_of(b);
    EXPECT_EQ(diagrams.both(f, g), diagram_of(combined(a, b, [](int x, int y) { return x && y; })));
    EXPECT_EQ(diagrams.either(f, g),
              diagram_of(combined(a, b, [](int x, int y) { return x || y; })));
    EXPECT_EQ(diagrams.without(f, g),
              diagram_of(combined(a, b, [](int x, int y) { return x && !y; })));
    for (const Ref constant : {diagrams.no(), diagrams.yes()}) {
      const Table c(rows.size(), diagrams.value(constant));
      EXPECT_EQ(table_of(diagrams.both(f, constant)),
                combined(a, c, [](int x, int y) { return x && y; }));
      EXPECT_EQ(table_of(diagrams.either(f, constant)),
                combined(a, c, [](int x, int y) { return x || y; }));
      EXPECT_EQ(table_of(diagrams.without(f, constant)),
                combined(a, c, [](int x, int y) { return x && !y; }));
      EXPECT_EQ(table_of(diagrams.without(constant, f)),
                combined(c, a, [](int x, int y) { return x && !y; }));
    }
  }
}

TEST_F(DiagramTables, AreCombinedAsNumbers) {
  for (int i = 0; i < 20; ++i) {
    const Table a = drawn(5);
    const Table b = drawn(7);
    const Ref sum = diagrams.apply(std::array{diagram_of(a), diagram_of(b)},
                                   [](const auto& v) { return v[0] + v[1]; });
    EXPECT_EQ(table_of(sum), combined(a, b, [](int x, int y) { return x + y; }));
  }
}

TEST_F(DiagramTables, AreCounted) {
  double free = 1;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (std::ranges::find(used_axes, axis) == used_axes.end()) free *= axis_size(axis);
  }
  for (int i = 0; i < 20; ++i) {
    const Table table = drawn(2);
    EXPECT_EQ(diagrams.count(diagram_of(table)),
              free * static_cast<double>(std::ranges::count(table, 1)));
  }
  EXPECT_EQ(diagrams.count(diagrams.no()), 0);
  EXPECT_EQ(diagrams.count(diagrams.yes()), free * static_cast<double>(rows.size()));
}

TEST_F(DiagramTables, AreProjected) {
  for (int i = 0; i < 20; ++i) {
    const Table table = drawn(40);  // few ones
    const Table set = combined(table, table, [](int v, int) { return v == 1; });
    std::array<bool, kAxes> keep{};
    for (const int axis : used_axes) keep[axis] = rng() % 2;
    Table projected;
    for (const Hypothesis& row : rows) {
      bool some = false;
      for (std::size_t other = 0; other < rows.size(); ++other) {
        const bool alike = std::ranges::all_of(used_axes, [&](int axis) {
          return !keep[axis] || rows[other].values[axis] == row.values[axis];
        });
        some = some || (alike && set[other]);
      }
      projected.push_back(some);
    }
    EXPECT_EQ(table_of(diagrams.project(diagram_of(set), keep)), projected);
  }
}

TEST_F(DiagramTables, WhereNobodyAsksSwallowWhatTheyAreCombinedWith) {
  for (int i = 0; i < 20; ++i) {
    const Table a = drawn(3);
    const Table cared = drawn(2);
    const Ref asked = diagrams.apply(std::array{diagram_of(cared)},
                                     [](const auto& v) { return v[0] ? 1 : Diagrams::kDontCare; });
    const Ref f =
        diagrams.apply(std::array{diagram_of(a), asked}, [](const auto& v) { return v[0] + v[1]; });
    EXPECT_EQ(table_of(f),
              combined(a, cared, [](int x, int y) { return y ? x + 1 : Diagrams::kDontCare; }));
    EXPECT_EQ(table_of(diagrams.settled(f)),
              combined(a, cared, [](int x, int y) { return y ? x + 1 : 0; }));
  }
}

TEST_F(DiagramTables, AreTakenApartAndCopied) {
  Diagrams others;
  std::unordered_map<Ref, Ref> memo;
  for (int i = 0; i < 20; ++i) {
    const Table table = drawn(4);
    const Ref f = diagram_of(table);
    const Ref copy = others.copy_from(
        diagrams, f, [](int value) { return 10 + value; }, memo);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(others.value_at(copy, rows[row]), 10 + table[row]);
    }
    Ref below = f;
    for (const int axis : used_axes) below = diagrams.child(below, axis, rows[i].values[axis]);
    ASSERT_TRUE(diagrams.is_leaf(below));
    EXPECT_EQ(diagrams.value(below), table[i]);
  }
  for (const int axis : used_axes) {
    for (const Hypothesis& row : rows) {
      EXPECT_EQ(diagrams.value_at(diagrams.axis(axis), row), row.values[axis]);
    }
  }
}

}  // namespace
}  // namespace cuvier
