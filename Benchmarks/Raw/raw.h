#pragma once

#include <stddef.h>
#include <stdint.h>

// A careful C implementation on top of the libraries, without any framework: the reference for Darkroom and its peers.
// Files must be complete and valid; anything else ends the process.

typedef struct {
    uint8_t *bytes;
    size_t count;
} buffer;

typedef struct {
    uint32_t width, height;
} extent;

// Returns the size of `source` scaled down to fit into `bounds`, with Darkroom's rounding.
extent fitted(extent source, extent bounds);

// A Lanczos3 resampler, widened for downscaling, of RGBA8 rows that arrive one by one.
typedef struct resampler resampler;
// `width` and `height` are the actual extent of the rows if a decoder has rounded `source` up.
resampler *resampler_make(extent source, double width, double height, extent target, int has_alpha);
void resampler_take(resampler *self, const uint8_t *row);
// Returns the RGBA8 pixels after all rows were taken. The caller frees them. Destroys the resampler.
uint8_t *resampler_finish(resampler *self);

// Return RGBA8 pixels, which the caller frees, and their size.
uint8_t *jpeg_shrunk(buffer file, extent bounds, extent *size);
uint8_t *png_shrunk(buffer file, extent bounds, extent *size);

// Return files, which the caller frees.
buffer jpeg_written(const uint8_t *pixels, extent size);
buffer webp_written(const uint8_t *pixels, extent size);
buffer png_written(const uint8_t *pixels, extent size);
