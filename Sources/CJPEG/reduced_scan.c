#include "reduced_scan.h"

enum { first_restart = 0xD0, restart_mask = 7, end_of_image = 0xD9, max_mcu_byte_count = 6 * max_block_byte_count };

// Behind the last chunk, an MCU may be read that starts up to 8 bytes after its end, and loads 8 bytes at its own end.
_Static_assert(max_mcu_byte_count + 8 + 8 <= slack_count, "the slack is too small");
_Static_assert((int)max_mcu_byte_count < (int)chunk_capacity, "the chunks are too small");
_Static_assert(max_mcu_byte_count == max_blocks_per_mcu * max_block_byte_count, "the maximum has changed");

static void start_segment(struct scan *scan) {
    bits_start(&scan->bits, segments_start(&scan->segments));
    for (int index = 0; index < scan->component_count; index++) scan->components[index].dc = 0;
    scan->mcus_left = scan->restart_interval;
}

void scan_start(struct scan *scan) {
    scan->next_row = 0;
    scan->next_restart = 0;
    start_segment(scan);
}

/// Returns the number of unread bits of the chunk. It is negative if bits behind the segment have been read.
static ptrdiff_t bits_left(const struct scan *scan) {
    return (scan->segments.chunk_end - scan->bits.next) * 8 + (ptrdiff_t)bits_count(&scan->bits);
}

/// Whether the bits read so far end in the last byte of a segment, and `marker` follows.
static bool ends_with(struct scan *scan, uint8_t marker) {
    struct segments *segments = &scan->segments;
    scan->bits.next = segments_continue(segments, scan->bits.next);
    return segments->is_last_chunk && segments->marker == marker && bits_left(scan) >= 0 && bits_left(scan) < 8;
}

static bool read_restart(struct scan *scan) {
    if (!ends_with(scan, first_restart + scan->next_restart)) return false;
    scan->next_restart = (scan->next_restart + 1) & restart_mask;
    start_segment(scan);
    return true;
}

/// Returns the last address of `bits.next` from which an MCU can be read without exceeding the chunk and its slack.
static const uint8_t *last_start(const struct scan *scan) {
    const struct segments *segments = &scan->segments;
    return segments->is_last_chunk ? segments->chunk_end + 8 : segments->chunk_end - max_mcu_byte_count;
}

/// Makes the bytes of the next MCU available. Returns false if the segment has been exceeded.
static bool continue_segment(struct scan *scan) {
    scan->bits.next = segments_continue(&scan->segments, scan->bits.next);
    return scan->bits.next <= last_start(scan);
}

static inline bool read_mcu(struct scan *scan, struct bits *bits, uint32_t mcu) {
    for (int index = 0; index < scan->component_count; index++) {
        struct component *component = &scan->components[index];
        // `mcu` is below `mcus_per_row`, so the samples are inside of `height * scale` rows of `stride` samples.
        uint8_t *samples = component->samples + (size_t)mcu * component->width * component->scale;
        for (uint32_t y = 0; y < component->height; y++, samples += component->stride * component->scale) {
            for (uint32_t x = 0; x < component->width; x++) {
                if (!read_block(bits, component, samples + x * component->scale)) return false;
            }
        }
    }
    return true;
}

bool scan_read_row(struct scan *scan) {
    if (scan->next_row == scan->row_count) return false;
    struct bits bits = scan->bits;
    const uint8_t *limit = last_start(scan);
    for (uint32_t mcu = 0; mcu < scan->mcus_per_row; mcu++) {
        bool needs_restart = scan->restart_interval > 0 && scan->mcus_left == 0;
        if (needs_restart || bits.next > limit) {
            scan->bits = bits;
            if (needs_restart ? !read_restart(scan) : !continue_segment(scan)) return false;
            bits = scan->bits;
            limit = last_start(scan);
        }
        scan->mcus_left--;
        if (!read_mcu(scan, &bits, mcu)) return false;
    }
    scan->bits = bits;
    bool is_last_row = ++scan->next_row == scan->row_count;
    return is_last_row ? ends_with(scan, end_of_image) : bits_left(scan) >= 0;
}
