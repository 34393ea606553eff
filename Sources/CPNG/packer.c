#include "packer.h"

#include <stdlib.h>
#include <string.h>

// The maximum number of bytes of rows compressed at once. At level 6 they take up to a third of a second.
#define MAX_COUNT ((size_t)8 << 20)
// The same for a reduced palette, whose compression takes three times as long.
#define MAX_INDEX_COUNT ((size_t)4 << 20)
// The size of the portions of a larger image, of which each may have other filters.
#define PORTION_COUNT ((size_t)1 << 20)

// The sample on which the search is chosen: this part of a portion, within limits, and in so many groups of rows.
#define SAMPLED_PART 8
#define MIN_SAMPLE_COUNT ((size_t)1 << 14)
#define MAX_SAMPLE_COUNT ((size_t)1 << 18)
#define SAMPLE_GROUP_COUNT 4

struct packer {
    uint32_t width, height;
    int level;
    // The number of bits of an index of a palette; 0 without one.
    int index_bit_count;
    // The number of bytes of a pixel, or 1 if it has fewer bits, and of a row with its filter type.
    size_t step, row_count;
    // The rows of the current portion, not filtered, each after the filter type CPNG_FILTER_NONE.
    uint8_t *rows;
    size_t count, capacity;
    // The number of rows added.
    uint32_t y;
    // The row above the portion, its last row, and two more rows, in common memory. A pixel of zeros precedes each.
    uint8_t *above, *last, *line, *next_line, *lines;
    deflater *deflater;
};

// Returns the number of bytes of a pixel, or 1 if it has fewer bits, and 0 for pictures that are left to libpng.
static size_t pixel_step(const cpng_written_header *header) {
    switch (header->color_type) {
    case CPNG_GRAY: return 1;
    case CPNG_GRAY_ALPHA: return 2;
    case CPNG_RGB: return 3;
    case CPNG_RGB_ALPHA: return 4;
    case CPNG_PALETTE: return header->has_reduced_palette ? 1 : 0;
    default: return 0;
    }
}

static int allocate(packer *packer) {
    size_t line_count = packer->step + packer->row_count;
    size_t count = packer->row_count * packer->height, portion_row_count = PORTION_COUNT / packer->row_count;
    size_t max_count = packer->index_bit_count ? MAX_INDEX_COUNT : MAX_COUNT;
    packer->capacity = count <= max_count ? count : (portion_row_count ? portion_row_count : 1) * packer->row_count;
    packer->rows = malloc(packer->capacity);
    packer->lines = calloc(line_count, 4);
    packer->deflater = deflater_create(packer->level, packer->step, packer->index_bit_count != 0);
    if (!packer->rows || !packer->lines || !packer->deflater) return 0;
    packer->above = packer->lines + packer->step;
    packer->last = packer->above + line_count;
    packer->line = packer->last + line_count;
    packer->next_line = packer->line + line_count;
    return 1;
}

packer *packer_create(const cpng_written_header *header, int bit_depth) {
    size_t step = pixel_step(header);
    if (!step || !header->width || !header->height || header->width > (MAX_COUNT - 1) / step) return NULL;
    packer *packer = calloc(1, sizeof *packer);
    if (!packer) return NULL;
    packer->width = header->width;
    packer->height = header->height;
    packer->level = header->level;
    packer->step = step;
    packer->row_count = 1 + header->width * step;
    if (header->color_type == CPNG_PALETTE) {
        packer->index_bit_count = bit_depth;
        packer->row_count = 1 + ((size_t)header->width * bit_depth + 7) / 8;
    }
    if (header->height <= SIZE_MAX / packer->row_count && allocate(packer)) return packer;
    packer_destroy(packer);
    return NULL;
}

void packer_destroy(packer *packer) {
    if (!packer) return;
    deflater_destroy(packer->deflater);
    free(packer->rows);
    free(packer->lines);
    free(packer);
}

// Copies row `y` of the portion to `line`.
static void copy_row(const packer *packer, size_t y, uint8_t *line) {
    memcpy(line, packer->rows + y * packer->row_count + 1, packer->row_count - 1);
}

static void swap_lines(packer *packer) {
    uint8_t *line = packer->line;
    packer->line = packer->next_line;
    packer->next_line = line;
}

// Writes the filtered row `y` of the portion, which is in `packer->line`, to `target`. Leaves the row above it, if that
// belongs to the portion, in `packer->next_line`.
static void filter_row(packer *packer, size_t y, uint8_t *target) {
    if (y) copy_row(packer, y - 1, packer->next_line);
    cpng_filter(packer->step, target, packer->line, y ? packer->next_line : packer->above, packer->row_count - 1);
}

// Filters the rows in place, the last one first, because each depends on the one above.
static void filter_rows(packer *packer) {
    size_t y = packer->count / packer->row_count - 1;
    copy_row(packer, y, packer->line);
    for (;; y--) {
        filter_row(packer, y, packer->rows + y * packer->row_count);
        if (!y) return;
        swap_lines(packer);
    }
}

// A sample of the portion: groups of rows, not filtered and filtered.
typedef struct {
    size_t group_count, group_row_count, count;
    uint8_t *plain, *filtered;
} sample;

// Returns a sample without memory. A few long rows are no sample: its count is 0.
static sample sample_size(const packer *packer) {
    size_t total = packer->count / packer->row_count, wanted = packer->count / SAMPLED_PART;
    if (wanted < MIN_SAMPLE_COUNT) wanted = MIN_SAMPLE_COUNT;
    if (wanted > MAX_SAMPLE_COUNT) wanted = MAX_SAMPLE_COUNT;
    sample sample = {.group_count = SAMPLE_GROUP_COUNT};
    sample.group_row_count = 1 + (wanted / SAMPLE_GROUP_COUNT - 1) / packer->row_count;
    if (sample.group_row_count * sample.group_count >= total) {
        sample.group_row_count = total;
        sample.group_count = 1;
    }
    sample.count = sample.group_row_count * sample.group_count * packer->row_count;
    if (sample.count > 2 * MAX_SAMPLE_COUNT) sample.count = 0;
    return sample;
}

static void fill_sample(packer *packer, sample *sample) {
    size_t rest = packer->count / packer->row_count - sample->group_row_count, count = 0;
    for (size_t group = 0; group < sample->group_count; group++) {
        size_t start = rest * (2 * group + 1) / (2 * sample->group_count);
        for (size_t y = start; y < start + sample->group_row_count; y++, count += packer->row_count) {
            memcpy(sample->plain + count, packer->rows + y * packer->row_count, packer->row_count);
            copy_row(packer, y, packer->line);
            filter_row(packer, y, sample->filtered + count);
        }
    }
}

// Returns the search that makes the sample smallest. Returns -1 when memory is exhausted.
static int best_search(packer *packer, const sample *sample) {
    portion filtered = {sample->filtered, sample->count}, plain = {sample->plain, sample->count};
    size_t counts[] = {
        [SEARCH_RUNS] = deflater_measure(packer->deflater, SEARCH_RUNS, filtered),
        [SEARCH_FILTERED] = deflater_measure(packer->deflater, SEARCH_FILTERED, filtered),
        [SEARCH_UNFILTERED] = deflater_measure(packer->deflater, SEARCH_UNFILTERED, plain),
    };
    int best = SEARCH_RUNS;
    for (int search = SEARCH_RUNS; search <= SEARCH_UNFILTERED; search++) {
        if (!counts[search]) return -1;
        if (counts[search] < counts[best]) best = search;
    }
    return best;
}

// Returns the search for the portion. Returns -1 when memory is exhausted.
static int choose_search(packer *packer) {
    // Neighbouring palette indices are unrelated.
    if (!packer->level || packer->index_bit_count) return SEARCH_UNFILTERED;
    sample sample = sample_size(packer);
    if (!sample.count) return SEARCH_FILTERED;
    sample.plain = malloc(2 * sample.count);
    if (!sample.plain) return -1;
    sample.filtered = sample.plain + sample.count;
    fill_sample(packer, &sample);
    int search = best_search(packer, &sample);
    free(sample.plain);
    return search;
}

// Compresses the portion and starts the next one.
static int pack(packer *packer) {
    int search = choose_search(packer), is_last = packer_is_complete(packer);
    if (search < 0) return 0;
    copy_row(packer, packer->count / packer->row_count - 1, packer->last);
    if (search != SEARCH_UNFILTERED) filter_rows(packer);
    portion portion = {packer->rows, packer->count};
    uint8_t *above = packer->above;
    packer->above = packer->last;
    packer->last = above;
    packer->count = 0;
    return (is_last ? deflater_add_last : deflater_add)(packer->deflater, search, portion);
}

int packer_is_complete(const packer *packer) { return packer->y == packer->height; }

// Packs `count` indices into bytes, the first one in the highest bits.
static void pack_indices(uint8_t *target, const uint8_t *indices, size_t count, int bit_count) {
    size_t bit = 8;
    *target = 0;
    for (size_t x = 0; x < count; x++) {
        if (!bit) {
            *++target = 0;
            bit = 8;
        }
        bit -= bit_count;
        *target |= indices[x] << bit;
    }
}

int packer_add_row(packer *packer, const uint8_t *row) {
    if (packer_is_complete(packer)) return 1;
    uint8_t *target = packer->rows + packer->count;
    *target++ = CPNG_FILTER_NONE;
    if (packer->index_bit_count && packer->index_bit_count < 8) {
        pack_indices(target, row, packer->width, packer->index_bit_count);
    } else if (packer->step == 3) {
        for (size_t x = 0; x < packer->width; x++) memcpy(target + 3 * x, row + 4 * x, 3);
    } else {
        memcpy(target, row, packer->row_count - 1);
    }
    packer->count += packer->row_count;
    packer->y++;
    return packer->count < packer->capacity && !packer_is_complete(packer) ? 1 : pack(packer);
}

portion packer_take(packer *packer) { return deflater_take(packer->deflater); }
