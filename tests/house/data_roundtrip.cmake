# cmake -DMCT=program -DDIR=directory -DDATA=data -P: edge lists through mct data.
file(REMOVE_RECURSE "${DIR}")
file(MAKE_DIRECTORY "${DIR}")

function(run code expected)
  execute_process(COMMAND "${MCT}" data ${ARGN} WORKING_DIRECTORY "${DIR}" RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL code OR NOT "${output}${error}" MATCHES "${expected}")
    message(FATAL_ERROR "mct data ${ARGN}: exit code ${result}, not ${code}, or no '${expected}'\n"
                        "${output}${error}")
  endif()
endfunction()

function(expect_content name content)
  file(READ "${DIR}/${name}" found)
  if(NOT found STREQUAL content)
    message(FATAL_ERROR "${name}: '${found}', not '${content}'")
  endif()
endfunction()

file(WRITE "${DIR}/edges.csv" "child,parent\nlion,\"cat, big\"\n\"cat, big\",animal\nlion,animal\n"
     "lion,animal\nanimal,animal\n")
run(0 "with a header; 5 edges.*1 edges that were there before.*1 edges from a node to itself" stats
    edges.csv)
run(0 "depth       2 edges.*cycles      none.*delta       largest 0," stats edges.csv)
run(0 "3 nodes, 3 edges" closure edges.csv -o closure.tsv)
expect_content(closure.tsv "lion\tcat, big\nlion\tanimal\ncat, big\tanimal\n")
run(0 "3 nodes, 2 edges.*2 nodes, 1 edges" reduce closure.tsv -o basic.tsv --others others.tsv)
expect_content(basic.tsv "lion\tcat, big\ncat, big\tanimal\n")
expect_content(others.tsv "lion\tanimal\n")

# parents in front: the same hierarchy
file(WRITE "${DIR}/turned.txt" "big lion\n#big x\nanimal big\n")
run(0 "3 edges" closure turned.txt --parent-first -o turned.tsv --no-comments)
expect_content(turned.tsv "big\tanimal\nlion\tbig\nlion\tanimal\nx\t#big\n")
run(0 "3 edges" closure turned.txt --parent-first -o turned.tsv)
expect_content(turned.tsv "big\tanimal\nlion\tbig\nlion\tanimal\n")

# the shipped list is the closure of its basic edges
run(0 "1,182 nodes, 1,182 edges" reduce "${DATA}/wordnet_mammals.tsv" -o mammals.tsv)
run(0 "1,182 nodes, 6,542 edges" closure mammals.tsv -o closure.tsv)
run(0 "1,182 nodes, 6,542 edges" closure closure.tsv -o again.tsv)

# what is held out follows from what is trained
run(0 "train.tsv: 1,182 nodes, 3,862 edges.*validation.tsv.* 268 edges.*test.tsv.* 268 edges" split
    "${DATA}/wordnet_mammals.tsv" -o split)
run(0 "1,182 nodes, 6,542 edges" closure split/train.tsv -o closure.tsv)
run(2 "'mammals.tsv' has no edge for test" split mammals.tsv -o none)
run(2 "are more than 100 %" split closure.tsv --percent 95 -o none)
run(2 "are one file" split split/train.tsv -o split)
run(2 "cannot write" split closure.tsv -o /proc/none)

# what cannot be done leaves no file
file(WRITE "${DIR}/cycle.tsv" "a\tb\nb\tc\nc\ta\n")
run(0 "depth       not defined.*1 strong components, 3 nodes in them: 'a' -> 'b' -> 'c' -> 'a'" stats
    cycle.tsv)
run(2 "cycles through 3 of its nodes" closure cycle.tsv -o none.tsv)
run(2 "cycles through 3 of its nodes" reduce cycle.tsv -o none.tsv)
run(2 "more than 2 edges" closure edges.csv --most-edges 2 -o none.tsv)
run(2 "are one file" closure cycle.tsv -o cycle.tsv)
run(2 "are one file" reduce edges.csv -o none.tsv --others none.tsv)
run(2 "cannot write" closure edges.csv -o /nonexistent/none.tsv)
file(WRITE "${DIR}/columns.tsv" "a\tb\nc\n")
run(2 "columns.tsv', line 2: 1 column, the lines before have 2: 'c'" closure columns.tsv -o none.tsv)
run(2 "--separator" stats edges.csv --separator semicolon)
foreach(name IN ITEMS none.tsv none)
  if(EXISTS "${DIR}/${name}")
    message(FATAL_ERROR "${name} was written")
  endif()
endforeach()
