# Compiles SOURCE by CXX with the header in DIR alone, and runs it.
execute_process(COMMAND "${CXX}" -std=c++20 -ffp-contract=off -O0 -Wall -Wextra -Wpedantic -Werror -I "${DIR}"
                        "${SOURCE}" -o "${PROGRAM}"
                COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
