#pragma once

#include <stddef.h>
#include <stdint.h>

// Filters and compresses images of 8 bits per channel that are small enough to be held twice. Smaller output and faster
// than libpng's row by row processing.
typedef struct packer packer;

// Creates a packer. Returns NULL if the image is too large or has a palette, or when memory is exhausted.
packer *packer_create(uint32_t width, uint32_t height, int color_type);
void packer_destroy(packer *packer);

// Adds the next row, in the format of `cpng_write_row`. Rows beyond the last are ignored.
void packer_add_row(packer *packer, const uint8_t *row);

// Compresses the rows into a zlib stream at `target`, which must have room for `packer_max_count` bytes. Returns the
// size of the stream, or 0 if rows are missing or memory is exhausted.
size_t packer_max_count(const packer *packer);
size_t packer_finish(packer *packer, int level, uint8_t *target);
