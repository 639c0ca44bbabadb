#pragma once

#include <vector>

#include "corpus/store.h"
#include "reports/certificate/certificate.h"
#include "reports/finding/model_json.h"
#include "tests/reports/finding_sample.h"

namespace cuvier::samples {

/// What an inference leaves behind, with two proofs written by hand that share a lemma.
inline std::vector<Proof> proofs() {
  const Lemma order{"order", "Nothing is before itself.",
                    "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (< x x))\n(check-sat)\n"};
  const Lemma gap{"gap", "No integer lies between 3 and 4.",
                  "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (and (< 3 x) (< x 4)))\n"
                  "(check-sat)\n"};
  return {{"any value of pointer_reset shows the same", "By both lemmas.", {order, gap}},
          {"any value of group_turn shows the same", "By the first.", {order}}};
}

/// With a value that they exclude.
inline CertificateFiles certificate() {
  Exclusions exclusions;
  exclusions.values = {
      {index_of<Queue>(), Queue::skip_ahead, ExcludedValue::By::constraints, {"gap"}}};
  return certificate_files(proofs(), exclusions);
}

/// One block each on these SMs.
inline Recording recording(const std::string& name, const std::vector<int>& sms) {
  const int count = static_cast<int>(sms.size());
  const Probe probe{name, {{"k", count, 32, 32, 0, 0, 0, std::nullopt}}, {{0, {}}}};
  return {probe, {{Fact::Kind::sm, 0, 0, sms, {}}}, true, ""};
}

/// Algorithm 1's model and two recordings that it explains, in `out`.
inline std::string write_findings(const Folder& folder) {
  const std::string out = folder.path("out");
  Journal journal(out, device(), "sim:four");
  journal.append(recording("first", {0, 2}));
  journal.append(recording("second", {0, 2, 1, 3}));
  write_model(finding(), model_file(out));
  return out;
}

}  // namespace cuvier::samples
