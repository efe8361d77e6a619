# CMake's way to Emscripten: the one that the setup scripts recorded in .toolchain, else $EMSDK's,
# else the one whose em-config is on PATH.
set(recorded "${CMAKE_CURRENT_LIST_DIR}/../.toolchain/emscripten.cmake")
if(EXISTS "${recorded}")
  include("${recorded}")
elseif(DEFINED ENV{EMSDK})
  set(POSLAB_EMSCRIPTEN_ROOT "$ENV{EMSDK}/upstream/emscripten")
else()
  find_program(EM_CONFIG_PROGRAM em-config)
  if(NOT EM_CONFIG_PROGRAM)
    message(FATAL_ERROR "No Emscripten was found. Run `npm run setup`, or install emsdk and put it on PATH.")
  endif()
  execute_process(
    COMMAND "${EM_CONFIG_PROGRAM}" EMSCRIPTEN_ROOT
    OUTPUT_VARIABLE POSLAB_EMSCRIPTEN_ROOT
    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
include("${POSLAB_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
