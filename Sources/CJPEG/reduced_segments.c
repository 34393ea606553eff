#include "reduced_segments.h"

#include <string.h>

static void end_segment(struct segments *segments, uint8_t marker) {
    segments->marker = marker;
    segments->is_last_chunk = true;
}

/// Appends bytes of the segment to the chunk until that is full.
static void fill(struct segments *segments) {
    const uint8_t *limit = segments->bytes + history_count + chunk_capacity;
    while (segments->chunk_end < limit) {
        size_t count = (size_t)(segments->end - segments->next), room = (size_t)(limit - segments->chunk_end);
        if (count > room) count = room;
        const uint8_t *prefix = memchr(segments->next, 0xFF, count);
        if (prefix != NULL) count = (size_t)(prefix - segments->next) + 1;
        // `count` is at most `room`.
        memcpy(segments->chunk_end, segments->next, count);
        segments->chunk_end += count;
        segments->next += count;
        if (segments->next == segments->end) return end_segment(segments, 0);
        if (prefix == NULL) return;
        uint8_t code = *segments->next++;
        if (code == 0) continue;
        // The prefix belongs to a marker.
        segments->chunk_end--;
        return end_segment(segments, code);
    }
}

const uint8_t *segments_start(struct segments *segments) {
    segments->is_last_chunk = false;
    segments->chunk_end = segments->bytes + history_count;
    fill(segments);
    return segments->bytes + history_count;
}

const uint8_t *segments_continue(struct segments *segments, const uint8_t *next) {
    if (segments->is_last_chunk) return next;
    const uint8_t *start = next - history_count;
    // `start` is not before `bytes`, so the bytes move towards the start.
    size_t count = (size_t)(segments->chunk_end - start);
    memmove(segments->bytes, start, count);
    segments->chunk_end = segments->bytes + count;
    fill(segments);
    return segments->bytes + history_count;
}
