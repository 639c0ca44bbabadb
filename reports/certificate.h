#pragma once

#include <string>
#include <vector>

#include "solver/smt/lemma.h"

namespace cuvier {

/// What is in DIR/certificate/index.json: what is claimed, and what it rests on.
struct Certificate {
  struct Claim {
    std::string claim;
    std::string argument;
    std::vector<std::string> lemmas;  ///< their files
  };
  struct LemmaFile {
    std::string file;  ///< in the certificate's folder; `unsat` is expected of it
    std::string statement;
    std::string fingerprint;
  };

  std::vector<Claim> claims;
  std::vector<LemmaFile> lemmas;
  std::string model_fingerprint;
  std::string recordings_fingerprint;
};

/// Writes DIR/certificate: an .smt2 file for each lemma and the index, which also has the
/// fingerprints of DIR/model.json and DIR/journal.jsonl as they are now. An older certificate
/// is replaced as a whole. Throws Error.
void write_certificate(const std::string& dir, const std::vector<Proof>& proofs);

/// The index of DIR/certificate. Throws Error with file and field.
Certificate read_certificate(const std::string& dir);

/// How a lemma's file begins: what it states, and the answer expected, for people and solvers.
std::string lemma_opening(const std::string& statement);

/// The content of a lemma's file.
std::string lemma_text(const Lemma& lemma);

/// "fnv1a64:" and the 64-bit FNV-1a hash of the text: shows that a file was changed by mistake,
/// not that it was forged.
std::string fingerprint(const std::string& text);

// Where things are.
std::string certificate_folder(const std::string& dir);
std::string certificate_file(const std::string& dir, const std::string& file);
std::string model_file(const std::string& dir);
std::string recordings_file(const std::string& dir);

}  // namespace cuvier
