#pragma once

#include <stddef.h>
#include <stdint.h>

// What a careful C programmer writes over the libraries, with nothing round it: what Darkroom and its peers are measured
// against. Files are whole and sound; anything else ends the process.

typedef struct {
    uint8_t *bytes;
    size_t count;
} buffer;

typedef struct {
    uint32_t width, height;
} extent;

// The size of `source` that fits into `bounds`, never larger than it; as Darkroom rounds.
extent fitted(extent source, extent bounds);

// Lanczos of three lobes, widened for shrinking, over RGBA8 rows that come one by one.
typedef struct resampler resampler;
// `width` and `height` are what the rows truly cover, where a decoder has rounded `source` up.
resampler *resampler_make(extent source, double width, double height, extent target, int has_alpha);
void resampler_take(resampler *self, const uint8_t *row);
// The RGBA8 pixels, which the caller frees, once all rows have come; the resampler is gone.
uint8_t *resampler_finish(resampler *self);

// RGBA8 pixels that the caller frees, and their size.
uint8_t *jpeg_shrunk(buffer file, extent bounds, extent *size);
uint8_t *png_shrunk(buffer file, extent bounds, extent *size);

// Files that the caller frees.
buffer jpeg_written(const uint8_t *pixels, extent size);
buffer webp_written(const uint8_t *pixels, extent size);
buffer png_written(const uint8_t *pixels, extent size);
