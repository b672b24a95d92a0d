# Writes the source of revision(); run at every build, rewrites only what changed.
#   cmake -DSOURCE=... -DVERSION=... -DOUTPUT=... -P revision.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                RESULT_VARIABLE fault)
set(revision ${VERSION})
if(fault EQUAL 0 AND commit)
  string(APPEND revision "+${commit}")
endif()
set(text "#include \"selfplay/revision.h\"

namespace cannonade {

std::string revision() { return \"${revision}\"; }

}  // namespace cannonade
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
