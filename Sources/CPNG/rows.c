#include "rows.h"
#include "CPNG.h"
#include "inflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// The number of bytes beyond the end of a row that reading it may access.
#define SLACK 32

struct rows {
    rows_header header;
    // The size in bytes of a pixel (at least one), of a row, and of all rows with their filter types.
    size_t step, row_count, file_count;
    uint32_t y;
    inflater *inflater;
    // The previous row and the current one, unfiltered but otherwise as stored.
    uint8_t *above, *row, *memory;
    uint8_t palette[256 * 4];

    // The read position in the file, the number of bytes left in the current chunk, and the checksum of those read.
    size_t position, chunk_count;
    // The position at which cancellation is checked next.
    size_t next_check;
    uint32_t checksum;
    int is_in_chunk, has_failed;
};

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void start_chunk(rows *rows, size_t position, size_t count) {
    rows->position = position;
    rows->chunk_count = count;
    rows->checksum = libdeflate_crc32(0, "IDAT", 4);
    rows->is_in_chunk = 1;
}

// Reads up to `count` bytes of the current chunk.
static size_t read_chunk(rows *rows, size_t count) {
    size_t left = rows->header.count - rows->position;
    if (count > rows->chunk_count) count = rows->chunk_count;
    if (count > left) count = left;
    rows->checksum = libdeflate_crc32(rows->checksum, rows->header.bytes + rows->position, count);
    rows->position += count;
    rows->chunk_count -= count;
    return count;
}

// Whether the current chunk, read completely, is followed by its checksum.
static int end_chunk(rows *rows) {
    const uint8_t *end = rows->header.bytes + rows->position;
    rows->is_in_chunk = 0;
    if (rows->header.count - rows->position < 4 || number(end) != rows->checksum) return 0;
    rows->position += 4;
    return 1;
}

// Advances to the next chunk if it is an IDAT chunk.
static int next_chunk(rows *rows) {
    const uint8_t *start = rows->header.bytes + rows->position;
    if (rows->header.count - rows->position < 8 || memcmp(start + 4, "IDAT", 4)) return 0;
    // libpng limits the chunk size, too. Its limit is not lower, because both allow for blocks of incompressible data.
    size_t room = 11 + rows->file_count / 32566 * 5;
    if (number(start) > rows->file_count && number(start) - rows->file_count > room) return 0;
    start_chunk(rows, rows->position + 8, number(start));
    return 1;
}

static size_t read_stream(void *context, uint8_t *target, size_t count) {
    rows *rows = context;
    size_t done = 0;
    while (done < count && !rows->has_failed) {
        if (rows->is_in_chunk && !rows->chunk_count) rows->has_failed = !end_chunk(rows);
        if (!rows->is_in_chunk && !next_chunk(rows)) break;
        if (rows->position >= rows->next_check) {
            rows->next_check = rows->position + ROWS_CHECKED_COUNT;
            rows->has_failed = rows->header.is_stopped && rows->header.is_stopped(rows->header.context);
            if (rows->has_failed) break;
        }
        const uint8_t *source = rows->header.bytes + rows->position;
        size_t got = read_chunk(rows, count - done);
        if (!got && rows->chunk_count) break;
        memcpy(target + done, source, got);
        done += got;
    }
    return done;
}

// Whether the stream and its last chunk end correctly.
static int ends_correctly(rows *rows) {
    if (!inflater_ends(rows->inflater) || rows->has_failed) return 0;
    if (!rows->is_in_chunk) return 1;
    read_chunk(rows, rows->chunk_count);
    return !rows->chunk_count && end_chunk(rows);
}

static size_t channel_count(int color_type) {
    switch (color_type) {
    case CPNG_GRAY:
    case CPNG_PALETTE: return 1;
    case CPNG_GRAY_ALPHA: return 2;
    case CPNG_RGB: return 3;
    case CPNG_RGB_ALPHA: return 4;
    default: return 0;
    }
}

// Computes the sizes and allocates the rows. Returns 0 if they are too large or memory is exhausted.
static int allocate(rows *rows) {
    size_t bit_count, filtered_count, memory_count;
    size_t pixel_bit_count = channel_count(rows->header.color_type) * rows->header.bit_depth;
    rows->step = pixel_bit_count < 8 ? 1 : pixel_bit_count / 8;
    if (__builtin_mul_overflow((size_t)rows->header.width, pixel_bit_count, &bit_count)) return 0;
    if (__builtin_add_overflow(bit_count, 7, &rows->row_count)) return 0;
    rows->row_count /= 8;
    if (__builtin_add_overflow(rows->row_count, 1, &filtered_count)) return 0;
    if (__builtin_mul_overflow(filtered_count, (size_t)rows->header.height, &rows->file_count)) return 0;
    if (__builtin_add_overflow(rows->row_count, SLACK, &memory_count)) return 0;
    if (__builtin_mul_overflow(memory_count, 2, &memory_count)) return 0;
    rows->memory = calloc(memory_count, 1);
    rows->inflater = inflater_create(filtered_count, read_stream, rows);
    rows->above = rows->memory;
    if (rows->memory) rows->row = rows->memory + memory_count / 2;
    return rows->memory && rows->inflater;
}

// Whether the stream declares a window that covers all references; otherwise the decision is left to libpng.
static int has_window(rows *rows) {
    size_t window = inflater_window(rows->inflater);
    return window >= 1 << 15 || window >= rows->file_count;
}

rows *rows_create(const rows_header *header) {
    if (header->start < 8 || header->start > header->count) return NULL;
    rows *rows = calloc(1, sizeof *rows);
    if (!rows) return NULL;
    rows->header = *header;
    rows->position = header->start - 8;
    rows->next_check = rows->position + ROWS_CHECKED_COUNT;
    memcpy(rows->palette, header->palette, sizeof rows->palette);
    if (channel_count(header->color_type) && allocate(rows) && next_chunk(rows) && has_window(rows)) return rows;
    rows_destroy(rows);
    return NULL;
}

void rows_destroy(rows *rows) {
    if (!rows) return;
    inflater_destroy(rows->inflater);
    free(rows->memory);
    free(rows);
}

uint32_t rows_read_count(const rows *rows) { return rows->y; }

// Converts pixels of `bits` bits, the first one highest, with a lookup table.
static inline __attribute__((always_inline)) void look_up(
    const uint8_t *palette, unsigned bits, uint8_t *target, const uint8_t *row, size_t width) {
    unsigned per_byte = 8 / bits;
    for (size_t x = 0; x < width; x++) {
        unsigned index = row[x / per_byte] >> (8 - bits - x % per_byte * bits) & ((1u << bits) - 1);
        memcpy(target + 4 * x, palette + 4 * index, 4);
    }
}

// Returns a 16-bit channel scaled to 8 bits, rounded.
static inline uint8_t scaled(const uint8_t *bytes) { return (((unsigned)bytes[0] << 8 | bytes[1]) * 255 + 32895) >> 16; }

// Converts pixels with 16-bit channels.
static inline __attribute__((always_inline)) void scale(
    size_t channel_count, uint8_t *target, const uint8_t *row, size_t width) {
    size_t color_step = channel_count < 3 ? 0 : 2;
    for (size_t x = 0; x < width; x++, row += 2 * channel_count, target += 4) {
        for (size_t color = 0; color < 3; color++) target[color] = scaled(row + color_step * color);
        target[3] = channel_count % 2 ? 255 : scaled(row + 2 * (channel_count - 1));
    }
}

static uint16_t value(const uint8_t *bytes) { return (uint16_t)(bytes[0] << 8 | bytes[1]); }

// Converts pixels with 16-bit channels by the conversion of the header.
static void convert_16(const rows *rows, uint8_t *target) {
    const deep_conversion *deep = &rows->header.deep;
    size_t channels = channel_count(rows->header.color_type), color_step = channels < 3 ? 0 : 2;
    const uint8_t *row = rows->row;
    uint16_t values[4 * DEEP_COUNT];
    for (size_t x = 0; x < rows->header.width; x += DEEP_COUNT) {
        size_t count = rows->header.width - x < DEEP_COUNT ? rows->header.width - x : DEEP_COUNT;
        for (size_t n = 0; n < count; n++, row += 2 * channels) {
            for (size_t color = 0; color < 3; color++) values[4 * n + color] = value(row + color_step * color);
            values[4 * n + 3] = channels % 2 ? 65535 : value(row + 2 * (channels - 1));
        }
        deep->convert(deep->context, values, target + 4 * x, count);
    }
}

static void expand_16(const rows *rows, uint8_t *target) {
    size_t width = rows->header.width;
    if (rows->header.deep.convert) return convert_16(rows, target);
    switch (rows->header.color_type) {
    case CPNG_GRAY: scale(1, target, rows->row, width); return;
    case CPNG_GRAY_ALPHA: scale(2, target, rows->row, width); return;
    case CPNG_RGB: scale(3, target, rows->row, width); return;
    default: scale(4, target, rows->row, width);
    }
}

static void expand(const rows *rows, uint8_t *target) {
    const uint8_t *row = rows->row;
    size_t width = rows->header.width;
    if (rows->header.bit_depth == 16) return expand_16(rows, target);
    switch (rows->header.color_type) {
    case CPNG_RGB_ALPHA: memcpy(target, row, rows->row_count); return;
    case CPNG_RGB: cpng_add_alpha(target, row, width); return;
    case CPNG_GRAY_ALPHA:
        for (size_t x = 0; x < width; x++) {
            memset(target + 4 * x, row[2 * x], 3);
            target[4 * x + 3] = row[2 * x + 1];
        }
        return;
    }
    switch (rows->header.bit_depth) {
    case 1: look_up(rows->palette, 1, target, row, width); return;
    case 2: look_up(rows->palette, 2, target, row, width); return;
    case 4: look_up(rows->palette, 4, target, row, width); return;
    default: look_up(rows->palette, 8, target, row, width);
    }
}

int rows_read(rows *rows, uint8_t *target) {
    const uint8_t *source = inflater_take(rows->inflater, rows->row_count + 1);
    if (!source || source[0] > CPNG_FILTER_PAETH || rows->has_failed) return 0;
    cpng_unfilter(source[0], rows->step, rows->row, source + 1, rows->above, rows->row_count);
    if (rows->y + 1 == rows->header.height && !ends_correctly(rows)) return 0;
    expand(rows, target);
    uint8_t *row = rows->row;
    rows->row = rows->above;
    rows->above = row;
    rows->y++;
    return 1;
}
