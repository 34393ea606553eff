#pragma once

#include <stddef.h>
#include <stdint.h>

// Reads rows of the usual sort of file much faster than libpng: not interlaced, and nothing odd.
// It gives up wherever libpng might say anything, even a warning, and then libpng must read all from the start.
typedef struct rows rows;

// It is asked whether to stop each time that so many bytes were read: they may take a few milliseconds.
#define ROWS_CHECKED_COUNT ((size_t)1 << 16)

// What it takes to read the rows, as the header has it.
typedef struct {
    // The whole file, which must outlive the rows.
    const uint8_t *bytes;
    size_t count;
    // Where the first chunk of pixels starts, behind its name.
    size_t start;
    uint32_t width, height;
    int bit_depth, color_type;
    // 256 colours, 4 bytes each, of CPNG_PALETTE and CPNG_GRAY.
    const uint8_t *palette;
    // Gives up once it answers 1; may be NULL.
    int (*is_stopped)(void *context);
    void *context;
} rows_header;

// NULL when the file is of another sort, or there is no memory.
rows *rows_create(const rows_header *header);
void rows_destroy(rows *rows);

// Reads the next row into `target`, RGBA8. 0 when it has given up. The last row is only read when all was right.
int rows_read(rows *rows, uint8_t *target);

// How many rows were read.
uint32_t rows_read_count(const rows *rows);
