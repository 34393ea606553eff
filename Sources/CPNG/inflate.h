#pragma once

#include <stddef.h>
#include <stdint.h>

// Inflates a zlib stream that arrives in pieces. It accepts no stream that zlib rejects.
typedef struct inflater inflater;

// Writes the next bytes of the stream, up to `count`, to `target` and returns their number. Fewer than `count` means
// the end.
typedef size_t inflater_source(void *context, uint8_t *target, size_t count);

// Creates an inflater of which at most `max_taken` bytes are taken at a time. Returns NULL when memory is exhausted.
inflater *inflater_create(size_t max_taken, inflater_source *source, void *context);
void inflater_destroy(inflater *inflater);

// For tests, before anything is taken: reads input in portions of `input_count` bytes and moves the window after every
// `portion` inflated bytes, instead of 64 KiB each. An `input_count` below the longest block header is raised to it.
void inflater_use_small_portions(inflater *inflater, size_t input_count, size_t portion);

// Returns the next `count` bytes, valid until the next call and followed by 32 readable bytes of unspecified content.
// Returns NULL if there are fewer before the end of the stream, or before the first invalid byte.
const uint8_t *inflater_take(inflater *inflater, size_t count);

// Whether the stream ends exactly after the bytes taken and is valid as a whole.
int inflater_ends(inflater *inflater);

// Whether the stream has ended, and how. `inflater_take` still returns the bytes before its end, in smaller parts.
typedef enum { INFLATER_CONTINUES, INFLATER_ENDED, INFLATER_TRUNCATED, INFLATER_INVALID } inflater_end;
inflater_end inflater_result(const inflater *inflater);

// Returns the number of bytes of the input used so far; of a stream that has ended, its length.
size_t inflater_used_count(const inflater *inflater);

// Returns the window size that the stream declares, or 0 if it is not a zlib stream.
size_t inflater_window(inflater *inflater);
