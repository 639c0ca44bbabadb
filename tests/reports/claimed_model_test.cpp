#include "reports/certificate/claimed_model.h"

#include <gmock/gmock.h>

#include "probes/json_fields.h"
#include "reports/finding/model_json.h"
#include "tests/reports/finding_sample.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// That another map explains more is found out from recordings, and in no other way checked.
TEST(ClaimedModel, IsNotHeldToTheMapsThatItTells) {
  const samples::Folder folder;
  const std::string path = folder.path("model.json");
  Finding finding = samples::finding();
  finding.maps = {OtherMap{finding.device, {}}};
  write_model(finding, path);
  finding.maps.clear();
  EXPECT_THAT(differing_fields(read_claimed_model(path), finding, path), IsEmpty());
}

/// Reports show what is told beside the claims.
TEST(ClaimedModel, NamesWhatIsNotToldAsInferDoes) {
  const samples::Folder folder;
  const Json good = model_json(samples::finding());
  const auto message = [&](const Json& json) {
    const std::string path = folder.write("model.json", json.dump());
    return message_of([&] { read_claimed_model(path); });
  };
  EXPECT_EQ(message(good), "no error");
  for (const std::string field :
       {"reason", "oracle", "probes", "open", "hypotheses", "discarded"}) {
    Json json = good;
    json.erase(field);
    EXPECT_THAT(message(json), HasSubstr("model.json: " + field + ": is missing"));
  }
  const auto with = [&](const char* pointer, const Json& value) {
    Json json = good;
    json[Json::json_pointer(pointer)] = value;
    return message(json);
  };
  EXPECT_THAT(with("/probes", "x"), HasSubstr("model.json: probes: "));
  EXPECT_THAT(with("/hypotheses/initial", "many"), HasSubstr(": hypotheses.initial: "));
  EXPECT_THAT(with("/discarded", Json::array({{{"probe", "p1"}}})),
              HasSubstr(": discarded[0].reason: is missing"));
  EXPECT_THAT(with("/fewest_probes/asked", "x"), HasSubstr(": fewest_probes.asked: "));
  EXPECT_THAT(with("/confirmed/launches/warps/few", "x"),
              HasSubstr(": confirmed.launches.warps.few: "));
}

}  // namespace
}  // namespace cuvier
