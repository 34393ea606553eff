#include "packer.h"
#include "CPNG.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// The maximum number of bytes of rows that are compressed at once, which takes a tenth of a second.
#define MAX_COUNT ((size_t)8 << 20)

struct packer {
    size_t width, step, row_count, filtered_count, count;
    // The current row and the one above, each preceded by a pixel of zeros.
    uint8_t *row, *above, *memory;
    uint8_t *filtered;
};

static size_t channel_count(int color_type) {
    switch (color_type) {
    case CPNG_GRAY: return 1;
    case CPNG_RGB: return 3;
    case CPNG_RGB_ALPHA: return 4;
    default: return 0;
    }
}

static int allocate(packer *packer) {
    packer->memory = calloc(packer->step + packer->row_count, 2);
    packer->filtered = malloc(packer->filtered_count);
    if (!packer->memory || !packer->filtered) return 0;
    packer->row = packer->memory + packer->step;
    packer->above = packer->row + packer->row_count + packer->step;
    return 1;
}

packer *packer_create(uint32_t width, uint32_t height, int color_type) {
    size_t step = channel_count(color_type);
    if (!step || !width || !height || width > MAX_COUNT / step || height > MAX_COUNT / (width * step + 1))
        return NULL;
    packer *packer = calloc(1, sizeof *packer);
    if (!packer) return NULL;
    packer->width = width;
    packer->step = step;
    packer->row_count = width * step;
    packer->filtered_count = (packer->row_count + 1) * height;
    if (allocate(packer)) return packer;
    packer_destroy(packer);
    return NULL;
}

void packer_destroy(packer *packer) {
    if (!packer) return;
    free(packer->memory);
    free(packer->filtered);
    free(packer);
}

void packer_add_row(packer *packer, const uint8_t *row) {
    if (packer->count == packer->filtered_count) return;
    if (packer->step == 3) {
        for (size_t x = 0; x < packer->width; x++) memcpy(packer->row + 3 * x, row + 4 * x, 3);
    } else {
        memcpy(packer->row, row, packer->row_count);
    }
    cpng_filter(packer->step, packer->filtered + packer->count, packer->row, packer->above, packer->row_count);
    packer->count += packer->row_count + 1;
    uint8_t *above = packer->above;
    packer->above = packer->row;
    packer->row = above;
}

size_t packer_max_count(const packer *packer) { return libdeflate_zlib_compress_bound(NULL, packer->filtered_count); }

size_t packer_finish(packer *packer, int level, uint8_t *target) {
    if (packer->count != packer->filtered_count) return 0;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (!compressor) return 0;
    size_t count = libdeflate_zlib_compress(
        compressor, packer->filtered, packer->filtered_count, target, packer_max_count(packer));
    libdeflate_free_compressor(compressor);
    return count;
}
