# cmake -DMCT=program -DDIR=directory -DDATA=data -P: cones through mct cones.
file(REMOVE_RECURSE "${DIR}")
file(MAKE_DIRECTORY "${DIR}")

function(run code expected)
  execute_process(COMMAND "${MCT}" cones ${ARGN} WORKING_DIRECTORY "${DIR}" RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL code OR NOT "${output}${error}" MATCHES "${expected}")
    message(FATAL_ERROR "mct cones ${ARGN}: exit code ${result}, not ${code}, or no '${expected}'\n"
                        "${output}${error}")
  endif()
endfunction()

set(mammals "${DATA}/wordnet_mammals.tsv")
set(classes carnivore.n.01,ungulate.n.01)
run(0 "umbral cones, half-space, 2 dimensions, size 0.05; 2 epochs.*\n[|] 10  .*\n[|] 90  " "${mammals}"
    --without-roots --all-splits --seeds 2 --epochs 2 --classes ${classes} -o first)
# the same bits on any number of threads
set(ENV{OMP_NUM_THREADS} 3)
run(0 "2 seeds" "${mammals}" --without-roots --all-splits --seeds 2 --epochs 2 -o second)
foreach(name IN ITEMS 0-0 50-1 90-1)
  file(SHA256 "${DIR}/first/${name}.safetensors" one)
  file(SHA256 "${DIR}/second/${name}.safetensors" other)
  if(NOT one STREQUAL other)
    message(FATAL_ERROR "${name} depends on the number of threads")
  endif()
endforeach()
file(STRINGS "${DIR}/first/cones.jsonl" lines)
list(LENGTH lines count)
if(NOT count EQUAL 30)
  message(FATAL_ERROR "${count} lines in the log, not 2 epochs and a result of 10 runs")
endif()
run(0 "entailment cones, ball, 5 dimensions, size 0.1" "${mammals}" --cone entailment --model ball
    --dim 5 --epochs 1 --optimizer rsgd --longest-step 0.02)

run(0 "penumbral cones" "${mammals}" --without-roots --cone penumbral --epochs 1 --optimizer rsgd
    --learn-radius 0.01 --radius 2 --from first/90-0.safetensors)
file(WRITE "${DIR}/split.tsv.train_0percent" "a\tb\nb\tc\nc\td\n")
file(WRITE "${DIR}/split.tsv.valid" "a\tc\n")
file(WRITE "${DIR}/split.tsv.test" "b\td\n")
run(0 "[|] 0  " split.tsv --split-files --percent 0 --epochs 2)

foreach(view IN ITEMS "" --half-plane)
  execute_process(COMMAND "${MCT}" draw first/90-0.safetensors --edges "${mammals}" --without-roots
                          --cones-of carnivore.n.01 ${view} -o cones.svg
                  WORKING_DIRECTORY "${DIR}" RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE error)
  file(READ "${DIR}/cones.svg" picture)
  if(NOT result EQUAL 0 OR NOT output MATCHES "cones: umbral cones, half-space"
     OR NOT picture MATCHES "cone of carnivore")
    message(FATAL_ERROR "mct draw of cones: exit code ${result}\n${output}${error}")
  endif()
endforeach()

# another relation of the same nodes, with a light of its own
file(STRINGS "${mammals}" lines)
string(REGEX REPLACE "([^\t;]+)\t([^\t;]+)" "\\2\t\\1" lines "${lines}")
string(REPLACE ";" "\n" lines "${lines}")
file(WRITE "${DIR}/upside.tsv" "${lines}\n")
set(both "${mammals}" --relation upside.tsv --percent 10 --epochs 2)
run(0 "upside: 6542 edges, light at .1..*[|] 10  *[|] *upside [|].*[|] 10  *[|] *all [|]" ${both} -o both)
run(0 "resumed: 1 of 1 runs are done" ${both} -o both --resume)
run(2 "'both' holds another run: its relations" ${both} --light up --light 2 -o both --resume)
run(0 "wordnet_mammals: 6542 edges, light at .0.5, 0..*upside: 6542 edges, light at .0, 0.5" ${both}
    --model ball --light 0.5,0 --light 0,0.5)
run(0 "light at .-1" "${mammals}" --light -1 --epochs 1 -o moved)
run(2 "--light: 1 lights for 2 relations" ${both} --light up)
run(2 "--light 1,x: 'x' is not a number, expected up or coordinates" ${both} --light up --light 1,x)
run(2 "--light 1,2: cones: a light at .1, 2., expected a point of the half-space's ground" ${both}
    --light up --light 1,2)
run(2 "the lights of 'wordnet_mammals' and 'upside' overlap" ${both} --cone penumbral --light up --light 30)
run(2 "--relation other/upside.tsv: another relation is called 'upside', too" ${both} --relation other/upside.tsv)
foreach(draw IN ITEMS "0;cones: .*light at .1;--relation;upside" "2;relations upside, wordnet_mammals;--cones"
                      "2;drawn on the disk;--relation;upside;--half-plane"
                      "2;upside, wordnet_mammals, not of 'inside';--relation;inside")
  list(POP_FRONT draw expected text)
  execute_process(COMMAND "${MCT}" draw both/10-0.safetensors --edges "${mammals}" ${draw} -o both.svg
                  WORKING_DIRECTORY "${DIR}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL expected OR NOT "${output}${error}" MATCHES "${text}")
    message(FATAL_ERROR "mct draw ${draw}: exit code ${result}\n${output}${error}")
  endif()
endforeach()

run(2 "holds a run" "${mammals}" --epochs 2 -o first)
run(2 "--resume needs -o DIR" "${mammals}" --resume)
run(2 "entailment cones are those of the model ball" "${mammals}" --cone entailment)
run(2 "there is no node 'unicorn'" "${mammals}" --classes unicorn)
run(2 "99 %" "${mammals}" --percent 99)
run(2 "2000000000 seeds, expected 1 to " "${mammals}" --seeds 2000000000)
run(2 "nothing to classify: no leaf is below exactly one of dog.n.01" "${mammals}" --classes dog.n.01,dog.n.01)

# a run goes on with the same list alone, whatever its name
file(STRINGS "${mammals}" lines)
list(REVERSE lines)
string(REPLACE ";" "\n" lines "${lines}")
file(WRITE "${DIR}/other/wordnet_mammals.tsv" "${lines}\n")
run(0 "1 seeds" "${mammals}" --epochs 1 -o third)
run(0 "resumed: 1 of 1 runs are done" "${mammals}" --epochs 1 -o third --resume)
run(2 "'third' holds another run: its graph is " other/wordnet_mammals.tsv --epochs 1 -o third --resume)

file(WRITE "${DIR}/few.tsv" "a\tb\nc\tb\nd\ta\ne\ta\n")
run(2 "'few.tsv' has no edge for the test" few.tsv --epochs 1)
run(2 "nothing to classify: no leaf is below exactly one of c, d" few.tsv --epochs 1 --classes c,d)
file(MAKE_DIRECTORY "${DIR}/taken")
file(COPY_FILE "${mammals}" "${DIR}/taken/cones.jsonl")
run(2 "'taken' holds 'cones.jsonl' without 'run.json'" taken/cones.jsonl --epochs 1 -o taken)
run(2 "--batch: Value 0 not in range" "${mammals}" --batch 0)
run(2 "absent.tsv" absent.tsv)
