#include "reports/certificate/certificate.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "hypotheses/axes.h"
#include "probes/json_fields.h"
#include "tests/reports/certificate_sample.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CertificateFolder : public ::testing::Test {
 protected:
  std::string index_with(const std::string& from, const std::string& to) {
    write_certificate(out_, samples::certificate());
    const std::string name = "out/certificate/index.json";
    folder_.write(name, samples::with(folder_.read(name), from, to));
    return message_of([&] { read_claims(out_); });
  }

  samples::Folder folder_;
  std::string out_ = samples::write_findings(folder_);
};

TEST_F(CertificateFolder, ALemmaSaysWhatItStatesAndWhatToExpect) {
  write_certificate(out_, samples::certificate());
  EXPECT_EQ(folder_.read("out/certificate/order.smt2"),
            "; Nothing is before itself.\n"
            "; Expected answer: unsat\n"
            "(set-info :status unsat)\n"
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x x))\n(check-sat)\n");
}

TEST_F(CertificateFolder, TheIndexSaysWhatIsClaimedAndExcludedAndByWhat) {
  write_certificate(out_, samples::certificate());
  EXPECT_THAT(read_claims(out_), ElementsAre("any value of pointer_reset shows the same",
                                             "any value of group_turn shows the same"));
  const Json index = parse_json(folder_.read("out/certificate/index.json"), "index.json");
  EXPECT_EQ(index["claims"][0]["lemmas"].dump(), R"(["order.smt2","gap.smt2"])");
  EXPECT_EQ(index["excluded"][0].dump(),
            R"({"value":"queue=skip_ahead","by":"constraints","lemmas":["gap.smt2"]})");
}

TEST_F(CertificateFolder, ItsSumsAreThoseOfSha256sum) {
  write_certificate(out_, samples::certificate());
  const std::string sums = folder_.read("out/certificate/SHA256SUMS");
  EXPECT_THAT(sums, HasSubstr(sha256(folder_.read("out/model.json")) + "  ../model.json\n"));
  EXPECT_THAT(sums, HasSubstr("  gap.smt2\n"));
  const std::string check =
      "cd '" + certificate_folder(out_) + "' && sha256sum --strict --quiet -c SHA256SUMS";
  EXPECT_EQ(std::system(check.c_str()), 0) << sums;
  folder_.write("out/model.json", "{}");
  EXPECT_NE(std::system((check + " 2>/dev/null >/dev/null").c_str()), 0);
}

TEST_F(CertificateFolder, ANewCertificateReplacesAllOfTheOld) {
  write_certificate(out_, samples::certificate());
  write_certificate(out_, certificate_files({samples::proofs()[1]}, {}));
  EXPECT_FALSE(std::filesystem::exists(certificate_file(out_, "gap.smt2")));
  EXPECT_FALSE(std::filesystem::exists(out_ + "/certificate.tmp"));
  EXPECT_EQ(read_claims(out_).size(), 1U);
}

TEST_F(CertificateFolder, AStatusThatALemmaCameWithDoesNotTakeThePlaceOfOurs) {
  std::vector<Proof> proofs = {samples::proofs()[1]};
  proofs[0].lemmas[0].smt2 =
      "; made by Z3\n(set-info :status unknown)\n" + proofs[0].lemmas[0].smt2;
  EXPECT_THAT(certificate_files(proofs, {}).at("order.smt2"), Not(HasSubstr("unknown")));
}

TEST_F(CertificateFolder, LemmasThatCannotBeToldApartOrAskNothingAreOurFault) {
  std::vector<Proof> proofs = samples::proofs();
  proofs[1].lemmas[0].smt2 = "(assert false)\n(check-sat)\n";
  EXPECT_THROW(certificate_files(proofs, {}), std::logic_error);
  proofs = samples::proofs();
  proofs[0].lemmas[1].name = "../gap";
  EXPECT_THROW(certificate_files(proofs, {}), std::logic_error);
  proofs = samples::proofs();
  proofs[0].lemmas[1].smt2 = "(assert false)\n";
  EXPECT_THROW(certificate_files(proofs, {}), std::logic_error);
}

TEST_F(CertificateFolder, NeedsModelAndRecordings) {
  std::filesystem::remove(model_file(out_));
  EXPECT_THAT(message_of([&] { write_certificate(out_, samples::certificate()); }),
              HasSubstr("model.json: cannot be opened"));
}

TEST_F(CertificateFolder, AnIndexThatIsNoneIsRefused) {
  EXPECT_THAT(message_of([&] { read_claims(out_); }), HasSubstr("there is no certificate"));
  EXPECT_THAT(index_with("\"version\": 5", "\"version\": 4"), HasSubstr("version: must be 5"));
  EXPECT_THAT(index_with("\"claim\"", "\"clam\""), HasSubstr("claims[0].claim: is missing"));
}

TEST(Sha256, IsThatOfThePublishedVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace cuvier
