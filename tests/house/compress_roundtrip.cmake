# cmake -DMCT=program -DDIR=directory -P: points of a tree through mct compress and mct decompress,
# in both models, and damaged files.
file(REMOVE_RECURSE "${DIR}")
file(MAKE_DIRECTORY "${DIR}")
file(WRITE "${DIR}/tree.txt" "a b\na c\nb d # a leaf\nb,e\ne\tf\nf g\nf h\n")

function(run code)
  execute_process(COMMAND "${MCT}" ${ARGN} WORKING_DIRECTORY "${DIR}" RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL code)
    message(FATAL_ERROR "mct ${ARGN}: exit code ${result}, not ${code}\n${output}${error}")
  endif()
  set(error "${error}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_same first second)
  file(READ "${DIR}/${first}" a)
  file(READ "${DIR}/${second}" b)
  if(NOT a STREQUAL b OR a STREQUAL "")
    message(FATAL_ERROR "${first}:\n${a}\n${second}:\n${b}")
  endif()
endfunction()

run(0 compress --tree tree.txt --edge-length 40 --out tree.mct --names names.txt)
file(READ "${DIR}/names.txt" names)
if(NOT names STREQUAL "a\nb\nd\ne\nf\ng\nh\nc\n")
  message(FATAL_ERROR "names:\n${names}")
endif()
foreach(model IN ITEMS ball half-space halfspace)
  run(0 decompress tree.mct --model ${model} --out ${model}.csv)
  foreach(encoding IN ITEMS matrix entries-vlq order vbw front)
    run(0 compress ${model}.csv --model ${model} --encoding ${encoding} --out again.mct)
    run(0 decompress again.mct --model ${model} --out again.csv)
    expect_same(${model}.csv again.csv)
  endforeach()
endforeach()
# with fewer bits, the points move and the file shrinks; nothing else may differ
run(0 compress ball.csv --bits 0 --out small.mct)
file(SIZE "${DIR}/tree.mct" large)
file(SIZE "${DIR}/small.mct" small)
math(EXPR less "${large} - ${small}")
if(NOT less EQUAL 128)  # 8 points, 16 bytes each
  message(FATAL_ERROR "${large} and ${small} bytes")
endif()

# NumPy's files, which hold bytes that cmake cannot write
function(write_npy name shape data)
  execute_process(
    COMMAND sh -c "printf '\\223NUMPY\\001\\000v\\000%-117s\\n' \"$1\"; printf '${data}'"
            sh "{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}, }"
    OUTPUT_FILE "${DIR}/${name}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${name} was not written")
  endif()
endfunction()
set(zeros "\\000\\000\\000\\000\\000\\000")
write_npy(none.npy "(0, 2)" "")
write_npy(one.npy "(1, 2)" "${zeros}\\340\\077${zeros}\\320\\277")
run(0 compress one.npy --out one.mct)
run(0 decompress one.mct --decimals 3 --out one.csv)
file(READ "${DIR}/one.csv" one)
if(NOT one STREQUAL "0.500,-0.250\n")
  message(FATAL_ERROR "one.csv:\n${one}")
endif()

# a whole file of no points, which mct compress does not write
execute_process(
  COMMAND sh -c "printf 'MCTTILE\\032\\001\\006\\100\\000'; head -c 24 /dev/zero; printf '\\237\\251\\056\\177'"
  OUTPUT_FILE "${DIR}/no_points.mct")
run(2 decompress no_points.mct --out none.out)
if(NOT error MATCHES "no_points.mct.* has no points")
  message(FATAL_ERROR "${error}")
endif()

# coordinates of fewer bits
foreach(bits IN ITEMS 16 32)
  run(0 compress ball.csv --bits ${bits} --out bits.mct)
  file(SIZE "${DIR}/bits.mct" size)
  math(EXPR wanted "${small} + 8 * 2 * ${bits} / 8")
  if(NOT size EQUAL wanted)
    message(FATAL_ERROR "${bits} bits: ${size} bytes, not ${wanted}")
  endif()
  run(0 decompress bits.mct --out bits.csv)
endforeach()
run(0 compress ball.csv --table)
foreach(encoding IN ITEMS matrix matrix-vlq entries entries-vlq order vbw front)
  if(NOT output MATCHES "\n${encoding} +64 ")
    message(FATAL_ERROR "no row of ${encoding}:\n${output}")
  endif()
endforeach()
run(0 compress --tree tree.txt --names only.txt)
expect_same(names.txt only.txt)

# damaged or wrong input: exit code 2, and no output file
file(WRITE "${DIR}/text.mct" "MCTTILE is no text file, but this is one")
file(WRITE "${DIR}/empty.csv" "# nothing\n")
file(WRITE "${DIR}/outside.csv" "0,0\n0.8,0.7\n")
file(WRITE "${DIR}/word.csv" "0,0\n\n0.5;0.5\n")
file(WRITE "${DIR}/circle.txt" "a b\nb a\n")
file(WRITE "${DIR}/far.csv" "0,0\n\n0,1e-100000\n")
file(WRITE "${DIR}/overflow.csv" "0,1.5e-9223372036854775808\n")
file(WRITE "${DIR}/signs.csv" "0,5e+-1\n")
execute_process(COMMAND head -c 100 "${DIR}/tree.mct" OUTPUT_FILE "${DIR}/cut.mct")
foreach(bad IN ITEMS "compress;far.csv" "compress;overflow.csv" "compress;signs.csv"
                     "decompress;cut.mct" "decompress;tree.mct;--decimals;0"
                     "compress;--tree;tree.txt;--epsilon;0" "compress;ball.csv;--names;n.txt"
                     "compress;--tree;tree.txt;--edge-length;0" "compress;ball.csv;--epsilon;1"
                     "compress;--tree;tree.txt;--edge-length;1e9" "compress;ball.csv;--edge-length;1"
                     "compress;--tree;tree.txt;--epsilon;1e-9"
                     "compress;--tree;tree.txt;--names;./none.out" "decompress;text.mct" "compress;none.npy" "decompress;ball.csv" "compress;empty.csv"
                     "compress;outside.csv" "compress;word.csv" "compress;--tree;circle.txt"
                     "compress;--tree;missing.txt" "compress;ball.csv;--encoding;zip"
                     "compress;ball.csv;--bits;8" "compress;ball.csv;--tree;tree.txt"
                     "compress;--tree;tree.txt;--epsilon;-1" "compress;ball.csv;--model;disk")
  run(2 ${bad} --out none.out)
  if(error STREQUAL "" OR EXISTS "${DIR}/none.out")
    message(FATAL_ERROR "mct ${bad}: no message, or an output file")
  endif()
endforeach()
run(2 compress none.npy --out none.out)
if(NOT error MATCHES "none.npy.* has no points")
  message(FATAL_ERROR "${error}")
endif()
run(2 compress far.csv --out none.out)
if(NOT error MATCHES "far.csv', line 3: '1e-100000'.*20000 places")
  message(FATAL_ERROR "${error}")
endif()
foreach(option IN ITEMS --edge-length --epsilon)
  run(2 compress --tree tree.txt ${option} 1e-9999 --out none.out)
  if(NOT error MATCHES "^[^\n]*${option}")
    message(FATAL_ERROR "${error}")
  endif()
endforeach()
# nothing replaces what it is made from
file(SHA256 "${DIR}/tree.mct" before)
run(2 decompress tree.mct --out ./tree.mct)
run(2 compress --tree tree.txt --out tree.txt)
file(SHA256 "${DIR}/tree.mct" after)
if(NOT before STREQUAL after)
  message(FATAL_ERROR "mct decompress has replaced its input")
endif()
run(2 compress word.csv --out none.out)
if(NOT error MATCHES "word.csv', line 3: '0.5;0.5'")
  message(FATAL_ERROR "${error}")
endif()
