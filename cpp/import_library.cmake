# Makes an import library for MSVC from the names that a dll exports (MuJoCo's wheel has none):
# cmake -DDLL=<dll> -DLIB=<lib to write> -DLINKER=<link.exe> -P import_library.cmake
get_filename_component(tools "${LINKER}" DIRECTORY)
execute_process(COMMAND "${tools}/dumpbin" /exports "${DLL}" OUTPUT_VARIABLE listing
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9A-F]+ +mj[A-Za-z0-9_]+" rows "${listing}")
set(names "")
foreach(row IN LISTS rows)
  string(REGEX REPLACE ".* " "" name "${row}")
  string(APPEND names "  ${name}\n")
endforeach()
get_filename_component(file "${DLL}" NAME)
set(definition "${LIB}.def")
file(WRITE "${definition}" "LIBRARY ${file}\nEXPORTS\n${names}")
set(machine X64)
if("$ENV{VSCMD_ARG_TGT_ARCH}" STREQUAL "arm64")
  set(machine ARM64)
endif()
execute_process(COMMAND "${tools}/lib" /def:${definition} /out:${LIB} /machine:${machine}
                COMMAND_ERROR_IS_FATAL ANY)
