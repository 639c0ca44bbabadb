#include "hypotheses/fast/change_log.h"

#include <gtest/gtest.h>

namespace cuvier {
namespace {

std::vector<int> changed_since(const ChangeLog& log, std::int64_t& seen) {
  std::vector<int> sms;
  log.catch_up(seen, [&](int sm) { sms.push_back(sm); });
  return sms;
}

TEST(ChangeLog, HasEachSmThatChangedOnceTheLatestFirst) {
  ChangeLog log(4);
  std::int64_t seen = ChangeLog::kNever;
  EXPECT_EQ(changed_since(log, seen), std::vector({0, 1, 2, 3}));
  EXPECT_EQ(changed_since(log, seen), std::vector<int>());
  for (const int sm : {2, 0, 2, 2, 3, 0}) log.add(sm);
  std::int64_t late = seen;
  EXPECT_EQ(changed_since(log, seen), std::vector({0, 3, 2}));
  log.add(3);
  EXPECT_EQ(changed_since(log, seen), std::vector({3}));
  EXPECT_EQ(changed_since(log, late), std::vector({3, 0, 2}));
}

TEST(ChangeLog, HasAllThatChangedAtOnce) {
  ChangeLog log(2);
  std::int64_t seen = ChangeLog::kNever;
  changed_since(log, seen);
  log.add_all();
  log.add(1);
  EXPECT_EQ(changed_since(log, seen), std::vector({0, 1}));
  EXPECT_EQ(changed_since(log, seen), std::vector<int>());
}

}  // namespace
}  // namespace cuvier
