#pragma once

#include "deep.h"

#include <stddef.h>
#include <stdint.h>

// A fast path for the rows of common files: not interlaced, without unusual features. It gives up wherever libpng might
// report anything, even a warning; libpng must then read the file from the start.
typedef struct rows rows;

// The number of bytes read between two cancellation checks, which may take a few milliseconds.
#define ROWS_CHECKED_COUNT ((size_t)1 << 16)

// The input of `rows_create`, from the header of the file.
typedef struct {
    // The whole file, which must outlive the rows.
    const uint8_t *bytes;
    size_t count;
    // The offset of the body of the first IDAT chunk.
    size_t start;
    uint32_t width, height;
    int bit_depth, color_type;
    // 256 colours of 4 bytes each, for CPNG_PALETTE and CPNG_GRAY.
    const uint8_t *palette;
    // Reading gives up once this returns 1. May be NULL.
    int (*is_stopped)(void *context);
    void *context;
    // The conversion of rows with 16 bits per channel.
    deep_conversion deep;
} rows_header;

// Returns NULL if the file does not qualify, or when memory is exhausted.
rows *rows_create(const rows_header *header);
void rows_destroy(rows *rows);

// Reads the next row into `target` as RGBA8. Returns 0 after giving up. The last row is returned only if all pixel data
// is valid.
int rows_read(rows *rows, uint8_t *target);

// Returns the number of rows read.
uint32_t rows_read_count(const rows *rows);
