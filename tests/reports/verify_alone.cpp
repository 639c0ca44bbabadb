// `verify` alone, linked from what has to be trusted (trusted_sources_test.cpp).

#include "reports/certificate/verification.h"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const cuvier::Verification verification = cuvier::verify_certificate(arguments[1], {}, {});
  return verification.faults.empty() && verification.gave_up.empty() ? 0 : 11;
}
