#include <gmock/gmock.h>

#include "reports/audit/audit_report.h"
#include "reports/document/page.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;

/// A change that a grid of so many blocks shows, by chance if so many of 24 outcomes tell.
OtherValue shown(int value, int blocks, std::optional<int> tells) {
  Distinction distinction;
  distinction.probe.kernels = {samples::kernel("k", blocks, 32)};
  distinction.probe.script = {{0, {}}};
  distinction.a.steps.resize(1);
  distinction.b.steps.resize(1);
  if (tells) distinction.likelihood = {24, *tells, *tells};
  OtherValue other;
  other.value = value;
  other.difference.kind = Comparison::Kind::different;
  other.difference.distinction = distinction;
  return other;
}

TEST(AuditPage, ShowsTheSmallestProbeOfThoseThatAreSurestToTell) {
  Audit audit;
  audit.device = samples::device();
  AxisAudit axis;
  axis.axis = index_of<Selection>();
  axis.others = {shown(1, 2, 3), shown(2, 3, 20)};
  audit.axes = {axis};
  EXPECT_THAT(page_markdown(audit_page(audit)),
              HasSubstr("proved equivalent | sticky\\_round\\_robin: 1 kernel"));
  axis.others.push_back(shown(3, 5, std::nullopt));
  axis.others.push_back(shown(4, 4, std::nullopt));
  audit.axes = {axis};
  EXPECT_THAT(page_markdown(audit_page(audit)),
              HasSubstr("proved equivalent | first\\_fit: 1 kernel"));
}

}  // namespace
}  // namespace cuvier
