# mct_add_texts(target namespace header file...): the text of each file as a constant of the target that the header
# declares: of page.css `extern const std::string_view page_css`, in the namespace. CMake configures again when a file
# changes.
function(mct_add_texts target namespace header)
  set(content "#include \"${header}\"\n\nnamespace ${namespace} {\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    file(READ "${file}" text_of_${file})
    cmake_path(GET file FILENAME name)
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(APPEND content "constinit const std::string_view ${name} = R\"text(@text_of_${file}@)text\";\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_texts.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${content}}  // namespace ${namespace}\n" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()
