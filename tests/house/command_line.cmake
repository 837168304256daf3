# Exit codes: 0 success, 2 bad usage, for the script and for the program.
set(run "${PROJECT_SOURCE_DIR}/run")
mct_add_exit_test(run_help EXIT 0 OUTPUT "validate.*test.*bench.*package.*amalgamate.*portability.*format" COMMAND "${run}" help)
mct_add_exit_test(run_unknown_command EXIT 2 OUTPUT "usage" COMMAND "${run}" nonsense)
mct_add_exit_test(run_no_command EXIT 2 OUTPUT "usage" COMMAND "${run}")
mct_add_exit_test(run_unknown_option EXIT 2 OUTPUT "--nonsense" COMMAND "${run}" test --nonsense)

if(TARGET mct)
  set(mct $<TARGET_FILE:mct>)
  mct_add_exit_test(mct_help EXIT 0 OUTPUT "validate" COMMAND ${mct} --help)
  mct_add_exit_test(mct_validate_help EXIT 0 OUTPUT "--replay" COMMAND ${mct} validate --help)
  mct_add_exit_test(mct_embed_help EXIT 0 OUTPUT "--header {auto,yes,no} .*--dim INT in "
                    COMMAND ${mct} embed --help)
  mct_add_exit_test(mct_version EXIT 0 OUTPUT "^${PROJECT_VERSION}\n" COMMAND ${mct} --version)
  mct_add_exit_test(mct_no_command EXIT 2 COMMAND ${mct})
  mct_add_exit_test(mct_unknown_command EXIT 2 COMMAND ${mct} nonsense)
  mct_add_exit_test(mct_info EXIT 0 OUTPUT "tensor kernels +[a-z0-9]+ of [a-z0-9]+.*integer products \
(AMX-INT8|AVX512-VNNI|AVX-VNNI|PMADDWD|plain C)" COMMAND ${mct} info)
  mct_add_exit_test(mct_info_devices EXIT 0 OUTPUT "GPUs +none: [a-zA-Z]|GPU 0 .*compute capability"
                    COMMAND ${mct} info)
  # no device is shown to them: the same on a machine that has one
  set(without_device "${CMAKE_COMMAND}" -E env CUDA_VISIBLE_DEVICES=)
  mct_add_exit_test(mct_info_without_device EXIT 0 OUTPUT "GPUs +none: (the library was built without CUDA|no \
NVIDIA driver is installed|there is no NVIDIA device|the NVIDIA driver is for CUDA)"
                    COMMAND ${without_device} ${mct} info)
  foreach(command IN ITEMS train "train gpt" "train hyla" "train markov" "train regression" "train ancestors"
                           "train gat" "embed edges.tsv -o out")
    string(MAKE_C_IDENTIFIER "${command}" stem)
    separate_arguments(words UNIX_COMMAND "${command}")
    mct_add_exit_test(mct_${stem}_device EXIT 2 OUTPUT "--device cuda: .*(without CUDA|NVIDIA)"
                      COMMAND ${without_device} ${mct} ${words} --device cuda)
    mct_add_exit_test(mct_${stem}_unknown_device EXIT 2 OUTPUT "--device tpu.*cpu.*cuda"
                      COMMAND ${mct} ${words} --device tpu)
  endforeach()
  if(TARGET mct_bench AND MCT_PROGRAMS_OPTIMIZED)  # else it is not built
    mct_add_exit_test(mct_bench_device EXIT 2 OUTPUT "--device: cuda: .*(without CUDA|NVIDIA)"
                      COMMAND ${without_device} $<TARGET_FILE:mct_bench> --device cuda)
  endif()
  foreach(command IN ITEMS info validate)
    mct_add_exit_test(mct_${command}_unknown_isa EXIT 2 OUTPUT "MCT_ISA='nonsense' is not available here.* has [a-z0-9]+"
                      COMMAND "${CMAKE_COMMAND}" -E env MCT_ISA=nonsense ${mct} ${command})
  endforeach()
  foreach(bad IN ITEMS --cases=nonsense --cases=0 --cases=1.5 --threads=-1 --nonsense
                       --filter=no_such_operation --filter=[ --replay=nonsense)
    string(MAKE_C_IDENTIFIER "${bad}" stem)
    mct_add_exit_test(mct_validate${stem} EXIT 2 COMMAND ${mct} validate ${bad})
  endforeach()
  mct_add_exit_test(mct_train_help EXIT 0 OUTPUT "gpt.*markov.*regression"
                    COMMAND ${mct} train --help)
  foreach(experiment IN ITEMS regression markov gpt hyla gat)
    mct_add_exit_test(mct_train_${experiment}_help EXIT 0 OUTPUT "--quick"
                      COMMAND ${mct} train ${experiment} --help)
    mct_add_exit_test(mct_train_${experiment}_unknown_option EXIT 2
                      COMMAND ${mct} train ${experiment} --nonsense)
    mct_add_exit_test(mct_train_${experiment}_unwritable EXIT 2 OUTPUT "cannot"
                      COMMAND ${mct} train ${experiment} --quick --out /dev/null/out)
  endforeach()
  mct_add_exit_test(mct_train_no_experiment EXIT 2 COMMAND ${mct} train)
  mct_add_exit_test(mct_train_task EXIT 2 OUTPUT "no task 'nonsense'.*linear"
                    COMMAND ${mct} train regression --task nonsense)
  mct_add_exit_test(mct_train_arithmetic EXIT 2 OUTPUT "no arithmetic 'f8'.*f16x2"
                    COMMAND ${mct} train regression --arithmetic f16,f8)
  mct_add_exit_test(mct_train_data EXIT 2 OUTPUT "breast_cancer.csv"
                    COMMAND ${mct} train regression --task cancer --data /nonexistent)
  foreach(experiment IN ITEMS markov gpt)
    mct_add_exit_test(mct_train_${experiment}_strategy EXIT 2
                      OUTPUT "no strategy 'nonsense'.*plus-strict"
                      COMMAND ${mct} train ${experiment} --strategy nonsense)
    mct_add_exit_test(mct_train_${experiment}_retired EXIT 2 OUTPUT "no strategy 'kahan'; light"
                      COMMAND ${mct} train ${experiment} --strategy kahan)
    mct_add_exit_test(mct_train_${experiment}_beta2 EXIT 2
                      COMMAND ${mct} train ${experiment} --beta2 1.5)
  endforeach()
  mct_add_exit_test(mct_train_gpt_text EXIT 2 OUTPUT "cannot read '/nonexistent'"
                    COMMAND ${mct} train gpt --text /nonexistent)
  mct_add_exit_test(mct_train_gpt_resume EXIT 2 OUTPUT "--out"
                    COMMAND ${mct} train gpt --resume)
  mct_add_exit_test(mct_train_gpt_heads EXIT 2 OUTPUT "--heads"
                    COMMAND ${mct} train gpt --heads 3)
  foreach(kind IN ITEMS attention-memory hype linear-attention hyla tree)
    mct_add_exit_test(mct_features_${kind} EXIT 0 OUTPUT "seeds 1 to 2|bf16x2 |30 queries|2048"
                      COMMAND ${mct} features ${kind} --quick)
    mct_add_exit_test(mct_features_${kind}_unwritable EXIT 2 OUTPUT "cannot"
                      COMMAND ${mct} features ${kind} --quick --out /dev/null/out)
  endforeach()
  mct_add_exit_test(mct_train_hyla_graph EXIT 2 OUTPUT "neither a folder" COMMAND ${mct} train hyla --graph /nonexistent)
  mct_add_exit_test(mct_features_nothing EXIT 2 COMMAND ${mct} features)
  mct_add_exit_test(mct_train_ancestors EXIT 0 OUTPUT "penumbral" COMMAND ${mct} train ancestors --quick)
  mct_add_exit_test(mct_train_ancestors_keys EXIT 2 OUTPUT "--keys 200 is too large for 243 leaves"
                    COMMAND ${mct} train ancestors --keys 200)
  mct_add_exit_test(mct_train_gat EXIT 0 OUTPUT "penumbral" COMMAND ${mct} train gat --quick)
  mct_add_exit_test(mct_train_hyla EXIT 0 OUTPUT "HyLa-SGC" COMMAND ${mct} train hyla --quick)
  foreach(command IN ITEMS compress decompress draw)
    mct_add_exit_test(mct_${command}_help EXIT 0 OUTPUT "Examples:" COMMAND ${mct} ${command} --help)
    mct_add_exit_test(mct_${command}_nothing EXIT 2 COMMAND ${mct} ${command})
  endforeach()
  mct_add_exit_test(mct_compress_wordnet EXIT 2 OUTPUT "/nonexistent/data.noun"
                    COMMAND ${mct} compress --wordnet /nonexistent --table)
  mct_add_exit_test(mct_compress_unwritable EXIT 2 OUTPUT "cannot write"
                    COMMAND ${mct} compress x --out /nonexistent/x)
  mct_add_exit_test(mct_data_help EXIT 0 OUTPUT "closure.*reduce.*stats.*wordnet"
                    COMMAND ${mct} data --help)
  foreach(command IN ITEMS wordnet stats closure reduce)
    mct_add_exit_test(mct_data_${command}_help EXIT 0 OUTPUT "Example" COMMAND ${mct} data ${command} --help)
    mct_add_exit_test(mct_data_${command}_unknown_option EXIT 2
                      COMMAND ${mct} data ${command} --nonsense)
  endforeach()
  mct_add_exit_test(mct_data_wordnet_absent EXIT 2 OUTPUT "/nonexistent/data.verb"
                    COMMAND ${mct} data wordnet --subset verbs --wordnet /nonexistent -o /dev/null)
  mct_add_exit_test(mct_data_wordnet_subset EXIT 2 OUTPUT "no subset 'birds'.*nouns, verbs, mammals"
                    COMMAND ${mct} data wordnet --subset birds)
  add_test(NAME mct_data_roundtrip
           COMMAND "${CMAKE_COMMAND}" -DMCT=${mct} "-DDIR=${CMAKE_CURRENT_BINARY_DIR}/data"
                   "-DDATA=${PROJECT_SOURCE_DIR}/data"
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/data_roundtrip.cmake")
  add_test(NAME mct_check_command
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/check_command.py" ${mct})
  mct_add_exit_test(mct_check_help EXIT 0 OUTPUT "Examples:" COMMAND ${mct} check --help)
  foreach(command IN ITEMS eval nearest export)
    mct_add_exit_test(mct_${command}_help EXIT 0 OUTPUT "Examples:" COMMAND ${mct} ${command} --help)
    mct_add_exit_test(mct_${command}_nothing EXIT 2 OUTPUT "FILE" COMMAND ${mct} ${command})
  endforeach()
  add_test(NAME mct_embedding_commands
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/embedding_commands.py" ${mct})
  add_test(NAME mct_export_gensim
           COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/embedding_commands.py" ${mct}
                   gensim)
  set_tests_properties(mct_export_gensim PROPERTIES SKIP_RETURN_CODE 77)
  # in the ball the first steps must not throw all points to the boundary
  mct_add_exit_test(mct_cones_in_ball EXIT 0 OUTPUT "25 +[|] [2-9][0-9][.]"
                    COMMAND ${mct} cones ${PROJECT_SOURCE_DIR}/data/wordnet_mammals.tsv --without-roots
                            --model ball --percent 25 --epochs 30 --burn-in 2 --check-every 10)
  mct_add_exit_test(mct_embed_names_cones EXIT 2
                    OUTPUT "mct embed: .*mct cones EDGES --cone umbral -o DIR"
                    COMMAND ${mct} embed edges.tsv --cone umbral)
  add_test(NAME mct_cone_runs
           COMMAND "${CMAKE_COMMAND}" -DMCT=${mct} "-DDIR=${CMAKE_CURRENT_BINARY_DIR}/cones"
                   "-DDATA=${PROJECT_SOURCE_DIR}/data"
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/cone_runs.cmake")
  add_test(NAME mct_compress_roundtrip
           COMMAND "${CMAKE_COMMAND}" -DMCT=${mct} "-DDIR=${CMAKE_CURRENT_BINARY_DIR}/compress"
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/compress_roundtrip.cmake")
endif()
