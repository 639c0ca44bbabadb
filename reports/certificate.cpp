#include "reports/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "probes/error.h"
#include "probes/json_fields.h"
#include "reports/write_file.h"

namespace cuvier {
namespace {

namespace fs = std::filesystem;

constexpr const char* format_name = "cuvier-certificate";
constexpr int format_version = 1;
constexpr const char* folder_name = "certificate";
constexpr const char* index_name = "index.json";
// As seen from the index.
constexpr const char* model_name = "../model.json";
constexpr const char* recordings_name = "../journal.jsonl";

std::string file_of(const Lemma& lemma) { return lemma.name + ".smt2"; }

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

/// Each lemma once, by its file.
std::map<std::string, const Lemma*> lemmas_of(const std::vector<Proof>& proofs) {
  std::map<std::string, const Lemma*> lemmas;
  for (const Proof& proof : proofs) {
    for (const Lemma& lemma : proof.lemmas) {
      expect_sound(lemma);
      const Lemma& known = *lemmas.emplace(file_of(lemma), &lemma).first->second;
      if (known.statement != lemma.statement || known.smt2 != lemma.smt2) {
        throw std::logic_error(fmt::format("two lemmas are named {}", lemma.name));
      }
    }
  }
  return lemmas;
}

Json claim_json(const Proof& proof) {
  Json json = {{"claim", proof.claim}, {"argument", proof.argument}, {"lemmas", Json::array()}};
  for (const Lemma& lemma : proof.lemmas) json["lemmas"].push_back(file_of(lemma));
  return json;
}

Json evidence_json(const char* name, const std::string& path) {
  return {{"file", name}, {"fingerprint", fingerprint(read_file(path))}};
}

std::vector<std::string> read_texts(const Json& json, const Place& place) {
  expect_array(json, place);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < json.size(); ++i) {
    texts.push_back(read_text(json[i], place.item(i)));
  }
  return texts;
}

/// Calls `read` with the fields of every entry of a list.
template <class Read>
void read_entries(Fields& fields, std::string_view name, Read read) {
  const Json& list = fields.at(name);
  expect_array(list, fields.place(name));
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields entry(list[i], fields.place(name).item(i));
    read(entry);
    entry.refuse_unknown();
  }
}

/// The field must be this text.
void expect_text(Fields& fields, std::string_view name, const std::string& text) {
  if (fields.text(name) != text) fields.place(name).fail("must be " + in_quotes(text));
}

std::string read_evidence(Fields& fields, std::string_view name, const std::string& file) {
  Fields entry(fields.at(name), fields.place(name));
  expect_text(entry, "file", file);
  return entry.text("fingerprint");
}

Certificate::LemmaFile read_lemma(Fields& fields) {
  Certificate::LemmaFile lemma{fields.text("file"), fields.text("statement"),
                               fields.text("fingerprint")};
  if (fs::path(lemma.file).filename() != lemma.file) {
    fields.place("file").fail("must be a file in the certificate's own folder");
  }
  expect_text(fields, "expected", "unsat");
  return lemma;
}

Certificate::Claim read_claim(Fields& fields, const Certificate& certificate) {
  Certificate::Claim claim{fields.text("claim"), fields.text("argument"),
                           read_texts(fields.at("lemmas"), fields.place("lemmas"))};
  for (const std::string& file : claim.lemmas) {
    if (std::ranges::find(certificate.lemmas, file, &Certificate::LemmaFile::file) ==
        certificate.lemmas.end()) {
      fields.place("lemmas").fail(in_quotes(file) + " is not among the lemmas");
    }
  }
  return claim;
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

std::string lemma_opening(const std::string& statement) {
  std::string line = statement;
  std::ranges::replace(line, '\n', ' ');
  return "; " + line + "\n; Expected answer: unsat\n(set-info :status unsat)\n";
}

std::string lemma_text(const Lemma& lemma) {
  std::string text = lemma_opening(lemma.statement) + without_status(lemma.smt2);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

std::string fingerprint(const std::string& text) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return fmt::format("fnv1a64:{:016x}", hash);
}

void write_certificate(const std::string& dir, const std::vector<Proof>& proofs) {
  Json index = {{"format", format_name}, {"version", format_version}};
  index["claims"] = Json::array();
  for (const Proof& proof : proofs) index["claims"].push_back(claim_json(proof));
  std::map<std::string, std::string> texts;
  index["lemmas"] = Json::array();
  for (const auto& [file, lemma] : lemmas_of(proofs)) {
    texts[file] = lemma_text(*lemma);
    index["lemmas"].push_back({{"file", file},
                               {"statement", lemma->statement},
                               {"expected", "unsat"},
                               {"fingerprint", fingerprint(texts[file])}});
  }
  index["model"] = evidence_json(model_name, model_file(dir));
  index["recordings"] = evidence_json(recordings_name, recordings_file(dir));
  texts[index_name] = index.dump(2) + '\n';

  const fs::path folder = certificate_folder(dir);
  const fs::path unfinished = folder.string() + ".tmp";
  std::error_code error;
  fs::remove_all(unfinished, error);
  fs::create_directories(unfinished, error);  // if not, the first file says why
  for (const auto& [file, text] : texts) write_file((unfinished / file).string(), text);
  fs::remove_all(folder, error);
  fs::rename(unfinished, folder, error);
  if (error) {
    throw Error(fmt::format("{}: cannot be replaced: {}; remove it or name another folder",
                            folder.string(), error.message()));
  }
}

Certificate read_certificate(const std::string& dir) {
  const std::string path = certificate_file(dir, index_name);
  if (!fs::exists(path)) {
    throw Error(
        fmt::format("{}: there is no certificate; name the --out of an inference that "
                    "came to its end",
                    path));
  }
  const Json json = parse_json(read_file(path), path);
  Fields fields(json, Place(path));
  expect_text(fields, "format", format_name);
  if (fields.integer("version", {}) != format_version) {
    fields.place("version").fail(fmt::format("must be {}", format_version));
  }
  Certificate certificate;
  read_entries(fields, "lemmas",
               [&](Fields& entry) { certificate.lemmas.push_back(read_lemma(entry)); });
  read_entries(fields, "claims", [&](Fields& entry) {
    certificate.claims.push_back(read_claim(entry, certificate));
  });
  certificate.model_fingerprint = read_evidence(fields, "model", model_name);
  certificate.recordings_fingerprint = read_evidence(fields, "recordings", recordings_name);
  fields.refuse_unknown();
  return certificate;
}

}  // namespace cuvier
