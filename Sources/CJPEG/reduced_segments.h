#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Tests split segments at other places.
#ifndef REDUCED_CHUNK_CAPACITY
#define REDUCED_CHUNK_CAPACITY 16384
#endif

enum {
    /// The number of bytes before the next one that a reader may read again.
    history_count = 8,
    chunk_capacity = REDUCED_CHUNK_CAPACITY,
    /// The number of bytes after a chunk that may be read. Their values are arbitrary.
    slack_count = 1 << 11,
};

/// The segments of entropy-coded data between markers, without stuffed zeros (ITU-T T.81, B.1.1.5), in chunks.
struct segments {
    /// The bytes of the file that have not been read.
    const uint8_t *next, *end;
    /// The end of the chunk, which begins at `bytes + history_count`.
    uint8_t *chunk_end;
    /// Whether the chunk extends to the end of the segment.
    bool is_last_chunk;
    /// The second byte of the marker after the last chunk; 0 if there is none, 0xFF if fill bytes precede it.
    uint8_t marker;
    uint8_t bytes[history_count + chunk_capacity + slack_count];
};

/// Reads the first chunk of the next segment, and returns its address.
const uint8_t *segments_start(struct segments *segments);

/// Replaces the bytes before `next`, an address in the chunk or its end, with the following bytes of the segment, and
/// returns the new address of the byte at `next`. Does nothing for the last chunk.
const uint8_t *segments_continue(struct segments *segments, const uint8_t *next);
