// What a program says on its standard output: an introduction, and the answer to one request.

#include "probes/oracles/external.h"
#include "tests/fake_oracle.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cuvier;
  static const samples::Folder folder;
  const std::string text(fuzz::text_of(data, size));
  // Who ended before it was asked would be refused, whatever it had said.
  const std::string command = "read -r hello; cat " +
                              fake::shell_quoted(folder.write("said", text)) +
                              (text.find('\n') == std::string::npos ? "" : "; read -r run");
  return fuzz::takes_or_refuses([&] {
    ExternalOptions options;
    options.hello_timeout = options.run_timeout = std::chrono::seconds(2);
    ExternalOracle oracle(command, options);
    try {
      fuzz::expect(oracle.run(fake::one_kernel(), 1).size() == 1);
    } catch (const OracleRefusal&) {
    }
  });
}
