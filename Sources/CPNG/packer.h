#pragma once

#include <stddef.h>
#include <stdint.h>

// Filters and compresses pictures of 8 bits a channel that are not too large to be held twice, better and faster than
// libpng does it row by row.
typedef struct packer packer;

// NULL when the picture is too large, or has a palette, or there is no memory.
packer *packer_create(uint32_t width, uint32_t height, int color_type);
void packer_destroy(packer *packer);

// Takes the next row as `cpng_write_row` does. Those beyond the last are ignored.
void packer_add_row(packer *packer, const uint8_t *row);

// Compresses the rows into a zlib stream at `target`, where `packer_most_count` bytes are free; answers how many it has,
// 0 when rows are missing or there is no memory.
size_t packer_most_count(const packer *packer);
size_t packer_finish(packer *packer, int level, uint8_t *target);
