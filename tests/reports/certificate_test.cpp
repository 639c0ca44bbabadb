#include "reports/certificate.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/reports/certificate_sample.h"

namespace cuvier {
namespace {

using samples::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CertificateFiles : public ::testing::Test {
 protected:
  std::string index_with(const std::string& from, const std::string& to) {
    write_certificate(out_, samples::proofs());
    const std::string name = "out/certificate/index.json";
    folder_.write(name, samples::with(folder_.read(name), from, to));
    return message_of([&] { read_certificate(out_); });
  }

  samples::Folder folder_;
  std::string out_ = samples::write_findings(folder_);
};

TEST_F(CertificateFiles, ALemmaSaysWhatItStatesAndWhatToExpect) {
  write_certificate(out_, samples::proofs());
  EXPECT_EQ(folder_.read("out/certificate/order.smt2"),
            "; Nothing is before itself.\n"
            "; Expected answer: unsat\n"
            "(set-info :status unsat)\n"
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x x))\n(check-sat)\n");
}

TEST_F(CertificateFiles, TheIndexIsReadAsItWasWritten) {
  write_certificate(out_, samples::proofs());
  const Certificate certificate = read_certificate(out_);
  ASSERT_EQ(certificate.claims.size(), 2U);
  EXPECT_EQ(certificate.claims[0].claim, "any value of pointer_reset shows the same");
  EXPECT_EQ(certificate.claims[0].argument, "By both lemmas.");
  EXPECT_THAT(certificate.claims[0].lemmas, ElementsAre("order.smt2", "gap.smt2"));
  EXPECT_THAT(certificate.claims[1].lemmas, ElementsAre("order.smt2"));
  ASSERT_EQ(certificate.lemmas.size(), 2U);  // the one that is shared once
  for (const Certificate::LemmaFile& lemma : certificate.lemmas) {
    EXPECT_EQ(lemma.fingerprint, fingerprint(folder_.read("out/certificate/" + lemma.file)));
  }
  EXPECT_EQ(certificate.lemmas[0].statement, "No integer lies between 3 and 4.");
  EXPECT_EQ(certificate.model_fingerprint, fingerprint(folder_.read("out/model.json")));
  EXPECT_EQ(certificate.recordings_fingerprint, fingerprint(folder_.read("out/journal.jsonl")));
}

TEST_F(CertificateFiles, ANewCertificateReplacesAllOfTheOld) {
  write_certificate(out_, samples::proofs());
  write_certificate(out_, {samples::proofs()[1]});
  EXPECT_FALSE(std::filesystem::exists(certificate_file(out_, "gap.smt2")));
  EXPECT_FALSE(std::filesystem::exists(out_ + "/certificate.tmp"));
  EXPECT_EQ(read_certificate(out_).lemmas.size(), 1U);
}

TEST_F(CertificateFiles, AStatusThatALemmaCameWithDoesNotTakeThePlaceOfOurs) {
  std::vector<Proof> proofs = {samples::proofs()[1]};
  proofs[0].lemmas[0].smt2 =
      "; made by Z3\n(set-info :status unknown)\n" + proofs[0].lemmas[0].smt2;
  write_certificate(out_, proofs);
  EXPECT_THAT(folder_.read("out/certificate/order.smt2"), Not(HasSubstr("unknown")));
}

TEST_F(CertificateFiles, LemmasThatCannotBeToldApartOrAskNothingAreOurFault) {
  std::vector<Proof> proofs = samples::proofs();
  proofs[1].lemmas[0].smt2 = "(assert false)\n(check-sat)\n";
  EXPECT_THROW(write_certificate(out_, proofs), std::logic_error);
  proofs = samples::proofs();
  proofs[0].lemmas[1].name = "../gap";
  EXPECT_THROW(write_certificate(out_, proofs), std::logic_error);
  proofs = samples::proofs();
  proofs[0].lemmas[1].smt2 = "(assert false)\n";
  EXPECT_THROW(write_certificate(out_, proofs), std::logic_error);
}

TEST_F(CertificateFiles, NeedModelAndRecordings) {
  std::filesystem::remove(model_file(out_));
  EXPECT_THAT(message_of([&] { write_certificate(out_, samples::proofs()); }),
              HasSubstr("model.json: cannot be opened"));
}

TEST_F(CertificateFiles, AnIndexThatIsNoneIsRefused) {
  EXPECT_THAT(message_of([&] { read_certificate(out_); }), HasSubstr("there is no certificate"));
  EXPECT_THAT(index_with("\"version\": 1", "\"version\": 2"), HasSubstr("version: must be 1"));
  EXPECT_THAT(index_with("\"unsat\"", "\"sat\""),
              HasSubstr("lemmas[0].expected: must be \"unsat\""));
  EXPECT_THAT(index_with("\"file\": \"gap", "\"file\": \"../gap"),
              HasSubstr("lemmas[0].file: must be a file in the certificate's own folder"));
  EXPECT_THAT(index_with("\"order.smt2\",", "\"other.smt2\","),
              HasSubstr("claims[0].lemmas: \"other.smt2\" is not among the lemmas"));
}

TEST(Fingerprint, IsFnv1aOf64Bits) {
  // The published test vectors.
  EXPECT_EQ(fingerprint(""), "fnv1a64:cbf29ce484222325");
  EXPECT_EQ(fingerprint("foobar"), "fnv1a64:85944171f73967e8");
}

}  // namespace
}  // namespace cuvier
