/* Checks for the tests: a failed one prints its place and ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <alfil.h>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);      \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

#define OK(call)                                                                           \
    do {                                                                                   \
        alfil_status check_status = (call);                                                \
        if (check_status != ALFIL_STATUS_OK) {                                             \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call,              \
                    alfil_status_name((int32_t)check_status), alfil_last_error());         \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

/* The call fails with this status and a message. */
#define FAILS(status, call)                                                                \
    do {                                                                                   \
        alfil_status check_status = (call);                                                \
        if (check_status != (status) || alfil_last_error()[0] == '\0') {                   \
            fprintf(stderr, "%s:%d: %s: %s instead of %s\n", __FILE__, __LINE__, #call,    \
                    alfil_status_name((int32_t)check_status),                              \
                    alfil_status_name((int32_t)(status)));                                 \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

/* A text is equal to another one and is freed. */
#define TEXT_IS(text, expected)                                                            \
    do {                                                                                   \
        char *check_text = (text);                                                         \
        if (strcmp(check_text, (expected)) != 0) {                                         \
            fprintf(stderr, "%s:%d: %s is not %s\n", __FILE__, __LINE__, check_text,       \
                    (expected));                                                           \
            exit(1);                                                                       \
        }                                                                                  \
        OK(alfil_text_free(check_text));                                                   \
    } while (0)

#endif
