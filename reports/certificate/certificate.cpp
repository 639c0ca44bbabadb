#include "reports/certificate/certificate.h"

#include <fmt/format.h>
#include <sha2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "hypotheses/axes.h"
#include "probes/an_error.h"
#include "probes/format.h"
#include "probes/named.h"
#include "reports/document/json_text.h"
#include "reports/document/words.h"
#include "reports/document/write_file.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

constexpr const char* format_name = "cuvier-certificate";
constexpr int format_version = 5;
constexpr const char* folder_name = "certificate";
constexpr const char* index_name = "index.json";

void expect_sound(const Lemma& lemma) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; };
  if (lemma.name.empty() || !std::ranges::all_of(lemma.name, fits)) {
    throw std::logic_error(fmt::format("a lemma is named {}", in_quotes(lemma.name)));
  }
  if (!lemma.smt2.ends_with("(check-sat)") && !lemma.smt2.ends_with("(check-sat)\n")) {
    throw std::logic_error(fmt::format("lemma {} does not end with (check-sat)", lemma.name));
  }
}

/// Z3 begins with a status of its own, which would take the place of ours.
std::string without_status(std::string smt2) {
  const std::string status = "(set-info :status unknown)\n";
  const std::size_t at = smt2.find(status);
  return at == std::string::npos ? smt2 : smt2.erase(at, status.size());
}

/// Adds the lemma's file, once.
void add(CertificateFiles& files, const Lemma& lemma) {
  expect_sound(lemma);
  const std::string text = lemma_text(lemma);
  if (files.emplace(lemma_file(lemma), text).first->second != text) {
    throw std::logic_error(fmt::format("two lemmas are named {}", lemma.name));
  }
}

Json claim_json(const Proof& proof) {
  Json json = {{"claim", proof.claim}, {"argument", proof.argument}, {"lemmas", Json::array()}};
  for (const Lemma& lemma : proof.lemmas) json["lemmas"].push_back(lemma_file(lemma));
  return json;
}

std::string_view name_of(ExcludedValue::By by) {
  return named(by, {"constraints", "constraints; diagrams where the order of the SMs is learned",
                    "diagrams", "not considered: a last resort"});
}

Json excluded_json(const ExcludedValue& excluded) {
  Json json = {{"value", value_words(excluded.axis, excluded.value)},
               {"by", name_of(excluded.by)},
               {"lemmas", Json::array()}};
  for (const std::string& lemma : excluded.lemmas) json["lemmas"].push_back(lemma + ".smt2");
  return json;
}

/// A line for each file, as sha256sum writes it.
std::string sums(const CertificateFiles& files) {
  std::string text;
  for (const auto& [file, content] : files) text += sha256(content) + "  " + file + '\n';
  return text;
}

/// An entry of the list of claims.
struct ClaimText {
  std::string read(const Json& json, const Place& place) const {
    return Fields(json, place).text("claim");
  }
};

/// The field must be this text.
void expect_text(Fields& fields, std::string_view name, const std::string& text) {
  if (fields.text(name) != text) fields.place(name).fail("must be " + in_quotes(text));
}

/// How a lemma's file begins: what it states, and the answer expected, for people and solvers.
std::string lemma_opening(const std::string& statement) {
  std::string line = statement;
  std::ranges::replace(line, '\n', ' ');
  return "; " + line + "\n; Expected answer: unsat\n(set-info :status unsat)\n";
}

}  // namespace

std::string certificate_folder(const std::string& dir) {
  return (fs::path(dir) / folder_name).string();
}
std::string certificate_file(const std::string& dir, const std::string& file) {
  return (fs::path(certificate_folder(dir)) / file).string();
}
std::string model_file(const std::string& dir) { return (fs::path(dir) / "model.json").string(); }
std::string recordings_file(const std::string& dir) {
  return (fs::path(dir) / "journal.jsonl").string();
}

std::string sha256(std::string_view text) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits.data());
  return digits.data();
}

bool goes_on_behind(const std::string& sum, std::string_view text) {
  SHA2_CTX hashed;
  SHA256Init(&hashed);
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end + 1 < text.size(); end = text.find('\n', begin)) {
    if (end == std::string_view::npos) return false;
    SHA256Update(&hashed, reinterpret_cast<const std::uint8_t*>(text.data()) + begin,
                 end + 1 - begin);
    begin = end + 1;
    SHA2_CTX here = hashed;
    std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
    if (sum == SHA256End(&here, digits.data())) return true;
  }
  return false;
}

std::string lemma_text(const Lemma& lemma) {
  std::string text = lemma_opening(lemma.statement) + without_status(lemma.smt2);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

std::string lemma_file(const Lemma& lemma) { return lemma.name + ".smt2"; }

CertificateFiles certificate_files(const std::vector<Proof>& proofs, const Exclusions& exclusions) {
  CertificateFiles files;
  Json index = {{"format", format_name}, {"version", format_version}};
  index["claims"] = Json::array();
  for (const Proof& proof : proofs) {
    index["claims"].push_back(claim_json(proof));
    for (const Lemma& lemma : proof.lemmas) add(files, lemma);
  }
  index["excluded"] = Json::array();
  for (const ExcludedValue& each : exclusions.values) {
    index["excluded"].push_back(excluded_json(each));
  }
  for (const Lemma& lemma : exclusions.lemmas) add(files, lemma);
  files[index_name] = json_text(index, 2) + '\n';
  return files;
}

void write_certificate(const std::string& dir, const CertificateFiles& files) {
  CertificateFiles summed = files;
  summed[kModelName] = read_file(model_file(dir));
  summed[kRecordingsName] = read_file(recordings_file(dir));
  CertificateFiles written = files;
  written[kSumsName] = sums(summed);
  write_folder(certificate_folder(dir), written);
}

std::vector<std::string> read_claims(const std::string& dir) {
  const std::string path = certificate_file(dir, index_name);
  if (!fs::exists(path)) {
    throw an_error(
        "{}: there is no certificate; name the --out of an inference that came to its end", path);
  }
  const Json json = parse_json(read_file(path), path);
  Fields fields(json, Place(path));
  expect_text(fields, "format", format_name);
  if (fields.integer("version", {}) != format_version) {
    fields.place("version").fail(
        "must be {}, the only one that this cuvier reads; infer --resume writes it",
        format_version);
  }
  return ListOf{ClaimText()}.read(fields.at("claims"), fields.place("claims"));
}

}  // namespace cuvier
