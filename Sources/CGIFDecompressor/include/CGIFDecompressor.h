#pragma once

#include <stddef.h>
#include <stdint.h>

// A decompressor of the colour indices of GIF frames: LZW codes of variable length (GIF89a, appendix F).
typedef struct cgif_decompressor cgif_decompressor;

typedef enum {
    // As many indices as requested.
    cgif_done,
    // Fewer, after much input. Repeat the call for the others; the caller may check for cancellation in between.
    cgif_again,
    // Fewer, because the code for the end came.
    cgif_ended,
    // Fewer, because the input ends without it.
    cgif_incomplete,
    // Fewer, because the input is invalid.
    cgif_corrupt,
} cgif_status;

// Creates a decompressor, which can be used for any number of frames. Returns NULL when memory is exhausted.
cgif_decompressor *cgif_create(void);
void cgif_destroy(cgif_decompressor *decompressor);

// Begins a frame. `bytes` start with the minimum code size, which precedes the blocks of a frame, and must outlive it.
cgif_status cgif_start(cgif_decompressor *decompressor, const uint8_t *bytes, size_t count);

// Writes the next `count` indices; fewer unless the result is `cgif_done`. `*written` is their number.
cgif_status cgif_read(cgif_decompressor *decompressor, uint8_t *indices, size_t count, size_t *written);

// Writes the pixels that `indices` select from a palette of 256.
void cgif_draw(const uint8_t *indices, size_t count, const uint32_t *palette, uint32_t *pixels);
