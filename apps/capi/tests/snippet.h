/* What stands before the blocks of docs/libraries/c.md that are no whole program; the page shows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <alfil.h>

#define TRY(call)                                                                      \
    do {                                                                               \
        if ((call) != ALFIL_STATUS_OK) {                                               \
            fprintf(stderr, "%s\n", alfil_last_error());                               \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)
