#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/document/write_file.h"
#include "solver/justification/exclusions.h"
#include "solver/smt/lemma.h"

namespace cuvier {

/// The files of a certificate, by name: index.json, what is claimed and what it rests on, and an
/// .smt2 file for each lemma, to which a solver must answer `unsat`.
using CertificateFiles = FilesOfFolder;

CertificateFiles certificate_files(const std::vector<Proof>& proofs, const Exclusions& exclusions);

/// Writes DIR/certificate: these, and SHA256SUMS of them and of DIR/model.json and
/// DIR/journal.jsonl as they are now, which `sha256sum -c` checks in that folder. An older
/// certificate is replaced as a whole. Throws Error.
void write_certificate(const std::string& dir, const CertificateFiles& files);

/// The claims in DIR/certificate/index.json. Throws Error with file and field.
std::vector<std::string> read_claims(const std::string& dir);

/// The content of a lemma's file, and its name.
std::string lemma_text(const Lemma& lemma);
std::string lemma_file(const Lemma& lemma);

/// SHA-256 of the text (FIPS 180-4) as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view text);

/// Whether this is the sum of some whole lines that the text begins with, and more follows.
bool goes_on_behind(const std::string& sum, std::string_view text);

// Where things are.
std::string certificate_folder(const std::string& dir);
std::string certificate_file(const std::string& dir, const std::string& file);
std::string model_file(const std::string& dir);
std::string recordings_file(const std::string& dir);

/// As seen from the certificate's folder.
inline constexpr const char* kSumsName = "SHA256SUMS";
inline constexpr const char* kModelName = "../model.json";
inline constexpr const char* kRecordingsName = "../journal.jsonl";

}  // namespace cuvier
