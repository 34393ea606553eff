#pragma once

#include <stddef.h>
#include <stdint.h>

// Inflates a zlib stream that comes in pieces. What it takes for good, zlib takes too.
typedef struct inflater inflater;

// Puts the next `count` bytes of the stream at `target` and answers how many: fewer when no more will come.
typedef size_t inflater_source(void *context, uint8_t *target, size_t count);

// An inflater whose bytes are taken at most `most_taken` at a time; NULL when there is no memory.
inflater *inflater_create(size_t most_taken, inflater_source *source, void *context);
void inflater_destroy(inflater *inflater);

// For tests, before anything is taken: gets input in portions of `input_count` bytes, and makes room each time that
// `portion` bytes were inflated, instead of 64 KiB each. Fewer bytes of input than the longest header has count as that.
void inflater_use_small_portions(inflater *inflater, size_t input_count, size_t portion);

// The next `count` bytes, which may be read, with 32 of no meaning behind them, until the next call.
// NULL when there are fewer, or something is wrong.
const uint8_t *inflater_take(inflater *inflater, size_t count);

// Whether the stream ends where the bytes end that were taken, and was right as a whole.
int inflater_ends(inflater *inflater);

// How far back in its output the stream may refer, as it says itself; 0 when it is none.
size_t inflater_window(inflater *inflater);
