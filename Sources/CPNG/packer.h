#pragma once

#include "CPNG.h"
#include "deflater.h"

// Filters and compresses images of 8 bits per channel, or with a reduced palette, with the filters and the search for
// repetitions that suit them. Smaller output and faster than libpng's row by row processing.
typedef struct packer packer;

// Creates a packer of an image with this header, which is read only now. Returns NULL if the image has another palette or
// very long rows, or when memory is exhausted.
packer *packer_create(const cpng_written_header *header, int bit_depth);
void packer_destroy(packer *packer);

// Adds the next row, in the format of `cpng_write_row`. Rows beyond the last are ignored. Returns 0 when memory is
// exhausted.
int packer_add_row(packer *packer, const uint8_t *row);

// Whether all rows have been added.
int packer_is_complete(const packer *packer);

// Returns the next bytes of the zlib stream, possibly none, valid until the next row is added.
portion packer_take(packer *packer);
