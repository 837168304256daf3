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

# a spreadsheet of half of the world, and what may be read in two ways
file(WRITE "${DIR}/semicolons.csv" "% a note\nterm;parent_term;weight\nCanis lupus;Canis;0,5\nCanis;dogs;1\n")
run(0 "4 lines, separated by semicolons, with a header, 1 comments; 2 edges" stats semicolons.csv)
file(WRITE "${DIR}/two_ways.csv" "a;x,b\n")
run(2 "two_ways.csv', line 1: semicolons and commas may both .*--separator" stats two_ways.csv)
run(0 "1 edges" closure two_ways.csv --separator comma -o two_ways.tsv)
expect_content(two_ways.tsv "a;x\tb\n")

# ontologies and taxonomies
file(WRITE "${DIR}/x.obo" "format-version: 1.2\n\n[Term]\nid: X:1\nname: all\n\n[Term]\nid: X:2\nname: part\n"
     "is_a: X:1 ! all\nrelationship: part_of X:3\n\n[Term]\nid: X:3\n\n[Term]\nid: X:4\nis_obsolete: true\n")
run(0 "x.obo: 18 lines, an ontology in OBO; 1 edges.*left out: 1 terms that are obsolete" closure x.obo -o x.tsv)
expect_content(x.tsv "part\tall\nX:3\tX:3\n")
run(0 "2 edges" closure x.obo --relationship part_of --ids -o x.tsv)
expect_content(x.tsv "X:2\tX:1\nX:2\tX:3\n")
run(2 "x.obo': only an edge list has a separator" stats x.obo --separator tab)
file(WRITE "${DIR}/nodes.dmp" "1\t|\t1\t|\tno rank\t|\n2\t|\t1\t|\tgenus\t|\n")
file(WRITE "${DIR}/names.dmp" "1\t|\troot\t|\t\t|\tscientific name\t|\n2\t|\tCanis\t|\t\t|\tscientific name\t|\n")
run(0 "2 lines, a taxonomy of NCBI; 1 edges" closure nodes.dmp --taxon-names names.dmp -o taxa.tsv)
expect_content(taxa.tsv "Canis\troot\n")

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
run(2 "columns.tsv', line 2: 1 column, the lines before have 2, separated by tabs: 'c'" closure columns.tsv -o none.tsv)
run(2 "--separator" stats edges.csv --separator colon)
foreach(name IN ITEMS none.tsv none)
  if(EXISTS "${DIR}/${name}")
    message(FATAL_ERROR "${name} was written")
  endif()
endforeach()
