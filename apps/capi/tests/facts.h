/* Reads the files of test data: JSON lines without nested values, and lines of columns with tabs. */
#ifndef FACTS_H
#define FACTS_H

#include "check.h"

/* Returns a whole file, ended by a NUL. */
static inline char *read_file(const char *path, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, capacity = 1 << 16, count;
    char *bytes = malloc(capacity + 1);
    if (file == NULL) {
        fprintf(stderr, "cannot open %s: run the test from the root of the workspace\n", path);
        exit(1);
    }
    CHECK(bytes != NULL);
    while ((count = fread(bytes + size, 1, capacity - size, file)) > 0) {
        size += count;
        if (size == capacity) {
            capacity *= 2;
            bytes = realloc(bytes, capacity + 1);
            CHECK(bytes != NULL);
        }
    }
    fclose(file);
    bytes[size] = '\0';
    if (out_size != NULL) {
        *out_size = size;
    }
    return bytes;
}

/* Returns the next line and ends it; NULL at the end of the text. */
static inline char *next_line(char **text)
{
    char *line = *text, *end;
    if (line == NULL || *line == '\0') {
        return NULL;
    }
    end = strchr(line, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    *text = end == NULL ? NULL : end + 1;
    return line;
}

/* Copies the value of a field, a text or a number, into `value`; returns whether the line has it. */
static inline int field(const char *line, const char *name, char *value, size_t size)
{
    char key[64];
    const char *start, *end;
    snprintf(key, sizeof key, "\"%s\": ", name);
    start = strstr(line, key);
    if (start == NULL) {
        return 0;
    }
    start += strlen(key);
    if (*start == '"') {
        start++;
        end = strchr(start, '"');
    } else {
        end = start + strcspn(start, ",}");
    }
    CHECK(end != NULL && (size_t)(end - start) < size);
    memcpy(value, start, (size_t)(end - start));
    value[end - start] = '\0';
    return 1;
}

#endif
