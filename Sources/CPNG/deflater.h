#pragma once

#include <stddef.h>
#include <stdint.h>

// Compresses the rows of an image, in one or more portions, into a zlib stream.
typedef struct deflater deflater;

// Bytes that belong to someone else.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} portion;

// How repetitions are found.
typedef enum {
    // Only repetitions of the previous byte. The filtered bytes of a photograph hardly repeat otherwise: chance matches
    // of a few bytes cost more than the bytes themselves.
    SEARCH_RUNS,
    // Repetitions at any distance in filtered rows.
    SEARCH_FILTERED,
    // Repetitions at any distance in rows that are not filtered.
    SEARCH_UNFILTERED,
} search;

// Creates a deflater for a compression level of zlib, from 0 to 9, and pixels of `step` bytes. `is_thorough` is whether
// to take the time for the smallest stream, unless the level is 0. Returns NULL when memory is exhausted.
deflater *deflater_create(int level, size_t step, int is_thorough);
void deflater_destroy(deflater *deflater);

// Returns the compressed size of a portion on its own, or 0 when memory is exhausted.
size_t deflater_measure(deflater *deflater, search search, portion portion);

// Append a portion to the stream, and the last portion, which ends it. Return 0 when memory is exhausted.
int deflater_add(deflater *deflater, search search, portion portion);
int deflater_add_last(deflater *deflater, search search, portion portion);

// Removes the finished bytes of the stream and returns them. They are valid until the next call of another function.
portion deflater_take(deflater *deflater);
