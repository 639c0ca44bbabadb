// How few answered sequences are told.

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "reports/document/page.h"
#include "reports/port/port_report.h"
#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Validation validation_of(int sequences) {
  Validation validation;
  validation.device = samples::device();
  validation.wanted = 5;
  validation.tallies = {{"order", sequences}};
  return validation;
}

std::string text_of(int sequences) { return page_text(validation_page(validation_of(sequences))); }

TEST(ValidationPage, OfNoSequenceSaysNothing) {
  EXPECT_THAT(
      text_of(0),
      StartsWith("interrupted after 0 of 5 sequences: nothing is known yet: no sequence was "
                 "answered\n"));
}

TEST(ValidationJson, OfNoSequenceSaysNothingEither) {
  EXPECT_EQ(validation_json(validation_of(0))["agrees"], Json(nullptr));
  EXPECT_EQ(validation_json(validation_of(1))["agrees"], Json(true));
}

TEST(ValidationPage, CountsInWords) {
  EXPECT_THAT(text_of(1), HasSubstr("agreed: the one sequence went as algorithm-1"));
  EXPECT_THAT(text_of(2), HasSubstr("agreed: all of 2 sequences went as"));
}

}  // namespace
}  // namespace cuvier
