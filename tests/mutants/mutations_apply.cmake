# Fails where a mutation of mutations.cmake no longer applies.
file(READ ${BROKEN} broken)
if(broken)
  message(FATAL_ERROR "tests/mutants/mutations.cmake: these are not in our headers just once; "
                      "give each mutation its new place:${broken}")
endif()
