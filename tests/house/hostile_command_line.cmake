# What a script, a typing error or somebody else's file can hand to the program: exit code 2 and a
# message in the user's words, soon. Code 1 is kept for a violated bound.
if(TARGET mct)
  set(mct $<TARGET_FILE:mct>)
  # With a time limit, so that work without an end fails.
  function(mct_add_hostile_test name)
    mct_add_exit_test(${name} EXIT 2 ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT 60)
  endfunction()

  mct_add_hostile_test(mct_similar_command OUTPUT "'valdate'. Did you mean 'validate'"
                       COMMAND ${mct} valdate)
  mct_add_hostile_test(mct_other_command OUTPUT "no command 'nonsense'. There are check, compress,"
                       COMMAND ${mct} nonsense)
  mct_add_hostile_test(mct_similar_experiment OUTPUT "'gtp'. Did you mean 'gpt'"
                       COMMAND ${mct} train gtp)
  # an unset variable in a script must not mean everything
  # (through a shell: CMake's lists drop an empty argument)
  foreach(option IN ITEMS cases replay json report filter)
    mct_add_hostile_test(mct_validate_empty_${option} OUTPUT "--${option}: it is empty"
                         COMMAND sh -c "exec \"$0\" validate --${option} ''" ${mct})
  endforeach()
  # numbers of CLI11 that are none, or others than they look
  set(mammals "${PROJECT_SOURCE_DIR}/data/wordnet_mammals.tsv")
  foreach(bad IN ITEMS "embed --seed=-1" "embed --seed=99999999999999999999999" "embed --epochs=0x10"
                       "embed --lr=nan" "embed --lr=1e-400" "cones --epochs=1e3" "cones --cone=7"
                       "cones --cone=1000000" "cones --loss=-1" "embed --header=9")
    separate_arguments(words UNIX_COMMAND "${bad}")
    list(POP_FRONT words command)
    string(MAKE_C_IDENTIFIER "${bad}" stem)
    mct_add_hostile_test(mct_${stem} OUTPUT "--(seed|epochs|lr|cone|loss|header): .* (is not a |not in {)"
                         COMMAND ${mct} ${command} ${mammals} ${words})
  endforeach()
  mct_add_exit_test(mct_decimal_number EXIT 0 OUTPUT "[|] 256 "
                    COMMAND ${mct} features hype --longest=008)
  mct_add_hostile_test(mct_no_number OUTPUT "--mu: nan is not a number"
                       COMMAND ${mct} features linear-attention --quick --mu nan)
  mct_add_hostile_test(mct_many_leaves OUTPUT "--branching 64 and --depth 11 give 7e[+]19 leaves"
                       COMMAND ${mct} train ancestors --branching 64 --depth 11)
  mct_add_hostile_test(mct_same_names OUTPUT "--beta2: two values have the name 0.9"
                       COMMAND ${mct} train gpt --beta2 0.9,0.9)
  mct_add_exit_test(mct_quick_but_for EXIT 0 OUTPUT "seeds 1 to 3" COMMAND ${mct} features tree --quick --seeds 3)
  # options that would do nothing
  mct_add_hostile_test(mct_percent_of_all OUTPUT "--percent excludes --all-splits"
                       COMMAND ${mct} cones ${mammals} --percent 10 --all-splits)
  mct_add_hostile_test(mct_lines_of_nothing OUTPUT "--separator requires --edges"
                       COMMAND ${mct} nearest points.safetensors dog --separator tab)
  # output that is lost, and an output that is an input
  if(EXISTS /dev/full)
    foreach(command IN ITEMS info --help)
      string(MAKE_C_IDENTIFIER "${command}" stem)
      mct_add_hostile_test(mct_full_${stem} OUTPUT "cannot write to the standard output: No space left"
                           COMMAND sh -c "exec \"$0\" \"$1\" >/dev/full" ${mct} ${command})
      mct_add_hostile_test(mct_closed_${stem} OUTPUT "cannot write to the standard output: Bad file"
                           COMMAND sh -c "exec \"$0\" \"$1\" >&-" ${mct} ${command})
    endforeach()
  endif()
  mct_add_hostile_test(mct_report_and_json OUTPUT "are one file"
                       COMMAND ${mct} validate --report r --json r/index.html)
  mct_add_hostile_test(mct_wordnet_upon_itself OUTPUT "are one file"
                       COMMAND ${mct} data wordnet --wordnet nowhere -o nowhere/data.noun)
  # more than are of use
  mct_add_exit_test(mct_threads_of_the_environment EXIT 0 OUTPUT "tensor threads   [0-9][0-9]?[0-9]? "
                    COMMAND "${CMAKE_COMMAND}" -E env OMP_NUM_THREADS=100000 ${mct} info)
  if(NOT MCT_SANITIZE)  # sanitizers need more addresses than this limit leaves
    mct_add_hostile_test(
      mct_out_of_memory OUTPUT "mct train gpt: out of memory"
      COMMAND sh -c "ulimit -v 1000000 && exec \"$0\" train gpt --quick --batch 1000000000" ${mct})
    set_tests_properties(mct_out_of_memory PROPERTIES ENVIRONMENT OMP_NUM_THREADS=1)
  endif()
  foreach(bad IN ITEMS "(.*)*(.*)*no_such_operation" "a{1000}{1000}{1000}")
    string(MAKE_C_IDENTIFIER "${bad}" stem)
    mct_add_hostile_test(mct_filter_${stem} OUTPUT "filter '" COMMAND ${mct} validate --filter ${bad})
  endforeach()
  mct_add_hostile_test(mct_replay_words OUTPUT "operand 1, 'x', is not a number" COMMAND ${mct} validate
                       --replay "f64x2 add x y")
  mct_add_hostile_test(mct_text_without_an_end OUTPUT "'/dev/zero': it is not a regular file"
                       COMMAND ${mct} train gpt --text /dev/zero)
  add_test(NAME mct_hostile_files
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/hostile_files.py" ${mct})
  set_tests_properties(mct_hostile_files PROPERTIES TIMEOUT 120)
endif()
