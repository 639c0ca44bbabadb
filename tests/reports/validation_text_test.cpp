// How few answered sequences are told.

#include "reports/validation_text.h"

#include <gmock/gmock.h>

#include "tests/samples.h"

namespace cuvier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Validation asked(int sequences) {
  Validation validation;
  validation.device = samples::device();
  validation.wanted = 5;
  validation.tallies = {{"order", sequences}};
  return validation;
}

TEST(ValidationText, OfNoSequenceSaysNothing) {
  EXPECT_THAT(
      validation_text(asked(0)),
      StartsWith("interrupted after 0 of 5 sequences\nnothing is known yet: no sequence was "
                 "answered\n"));
}

TEST(ValidationText, CountsInWords) {
  EXPECT_THAT(validation_text(asked(1)), HasSubstr("agreed: the one sequence went as algorithm-1"));
  EXPECT_THAT(validation_text(asked(2)), HasSubstr("agreed: all of 2 sequences went as"));
}

}  // namespace
}  // namespace cuvier
