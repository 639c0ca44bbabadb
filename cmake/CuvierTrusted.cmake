# All that `cuvier verify` trusts (docs/reference/certificate.md), in the order in which that page lists it.
# Of each library these sources are one of their own, cuvier_LIBRARY_trusted, and cuvier_trusted is
# all of these: it links nothing else of ours, so whatever they need is among them.
set(CUVIER_TRUSTED_SOURCES
  # reading
  probes/json_fields.cpp
  probes/nearest_name.cpp
  probes/device_json.cpp
  probes/probe.cpp
  probes/probe_json.cpp
  probes/initial_observation.cpp
  probes/fact.cpp
  probes/fact_format.cpp
  probes/recording.cpp
  # predicting
  hypotheses/formulas/formula.cpp
  hypotheses/axes.cpp
  hypotheses/scheduler/topology.cpp
  hypotheses/hypothesis.cpp
  hypotheses/named.cpp
  hypotheses/assumptions.cpp
  hypotheses/values_of_proofs.cpp
  hypotheses/first_orders.cpp
  hypotheses/readings/single_reading.cpp
  hypotheses/readings/choices.cpp
  hypotheses/readings/prediction.cpp
  hypotheses/simulator.cpp
  solver/finding/mismatches.cpp
  # what is left
  solver/space/diagram.cpp
  solver/space/hypothesis_sets.cpp
  solver/space/expectation.cpp
  solver/space/precedences.cpp
  solver/space/sessions.cpp
  solver/space/version_space.cpp
  solver/space/contradiction.cpp
  # votes
  solver/evidence/runs.cpp
  solver/evidence/corrected_space.cpp
  solver/evidence/doubt.cpp
  solver/justification/evidence_left.cpp
  # constraints
  solver/smt/circuit.cpp
  solver/constraints/refutations.cpp
  solver/justification/exclusions.cpp
  # lemmas of a claim
  solver/smt/term.cpp
  solver/smt/terms_domain.cpp
  solver/smt/statement.cpp
  solver/proof/query_trace.cpp
  solver/proof/key_changes.cpp
  solver/proof/choice_proof.cpp
  solver/proof/admission_proof.cpp
  solver/proof/marks_proof.cpp
  solver/proof/batches_proof.cpp
  solver/proof/warps_facts.cpp
  solver/proof/warps_proof.cpp
  solver/proof/several_proof.cpp
  solver/proof/shared_proof.cpp
  solver/proof/sole_block_proof.cpp
  solver/proof/claim.cpp
  solver/proof/equivalence.cpp
  # asking
  solver/smt/limited_process.cpp
  solver/smt/smt_query.cpp
  # comparing
  solver/finding/finding.cpp
  reports/document/json_text.cpp
  reports/document/write_file.cpp
  reports/document/words.cpp
  reports/finding/model_json.cpp
  reports/certificate/claimed_model.cpp
  reports/certificate/certificate.cpp
  reports/certificate/verification.cpp)
list(TRANSFORM CUVIER_TRUSTED_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)

add_library(cuvier_trusted INTERFACE)
set_property(GLOBAL APPEND PROPERTY CUVIER_LIBRARIES cuvier_trusted)

# Those of a library's sources that are trusted, as a library of their own that links the trusted
# ones before it and `links`, unless that is ours; `result` are the others.
function(cuvier_trusted_library name result sources links private_links)
  set(trusted ${sources})
  set(others ${sources})
  list(REMOVE_ITEM others ${CUVIER_TRUSTED_SOURCES})
  if(others)
    list(REMOVE_ITEM trusted ${others})
  endif()
  set(${result} ${others} PARENT_SCOPE)
  if(NOT trusted)
    return()
  endif()
  list(FILTER links EXCLUDE REGEX "^cuvier_")
  get_property(before GLOBAL PROPERTY CUVIER_TRUSTED_LIBRARIES)
  add_library(${name}_trusted STATIC ${trusted})
  cuvier_read_headers_once(${name}_trusted)
  target_link_libraries(${name}_trusted
    PUBLIC cuvier_build_flags ${before} ${links} PRIVATE ${private_links})
  target_link_libraries(cuvier_trusted INTERFACE ${name}_trusted)
  set_property(GLOBAL APPEND PROPERTY CUVIER_TRUSTED_LIBRARIES ${name}_trusted)
  set_property(GLOBAL APPEND PROPERTY CUVIER_LIBRARIES ${name}_trusted)
endfunction()
