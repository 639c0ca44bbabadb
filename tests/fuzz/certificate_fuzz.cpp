// The index of a certificate, of which verify reads the claims.

#include "reports/certificate/certificate.h"
#include "tests/fuzz/fuzz.h"
#include "tests/samples.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const samples::Folder folder;
  folder.write("certificate/index.json", std::string(fuzz::text_of(data, size)));
  return fuzz::takes_or_refuses([&] {
    for (const std::string& claim : read_claims(folder.path(""))) fuzz::expect(!claim.empty());
  });
}
