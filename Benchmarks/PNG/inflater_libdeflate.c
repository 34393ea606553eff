// libdeflate, which needs the whole stream and the whole image.
#include "inflate.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// Set by decode.c, because libdeflate must know it.
size_t inflated_count;

struct inflater {
    inflater_source *source;
    void *context;
    uint8_t *input, *output;
    size_t taken;
    int is_valid;
};

inflater *inflater_create(size_t max_taken, inflater_source *source, void *context) {
    inflater *inflater = calloc(1, sizeof *inflater);
    inflater->source = source;
    inflater->context = context;
    return inflater;
}

void inflater_destroy(inflater *inflater) {
    if (!inflater) return;
    free(inflater->input);
    free(inflater->output);
    free(inflater);
}

static void inflate_all(inflater *inflater) {
    if (inflater->input) return;
    size_t count = 0, capacity = 1 << 16, got;
    inflater->input = malloc(capacity);
    while ((got = inflater->source(inflater->context, inflater->input + count, capacity - count))) {
        count += got;
        if (count == capacity) inflater->input = realloc(inflater->input, capacity *= 2);
    }
    inflater->output = malloc(inflated_count + 32);
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    inflater->is_valid = libdeflate_zlib_decompress(
                             decompressor, inflater->input, count, inflater->output, inflated_count, NULL) == 0;
    libdeflate_free_decompressor(decompressor);
}

const uint8_t *inflater_take(inflater *inflater, size_t count) {
    inflate_all(inflater);
    if (!inflater->is_valid || inflated_count - inflater->taken < count) return NULL;
    inflater->taken += count;
    return inflater->output + inflater->taken - count;
}

int inflater_ends(inflater *inflater) { return inflater->is_valid && inflater->taken == inflated_count; }

size_t inflater_window(inflater *inflater) {
    inflate_all(inflater);
    return (size_t)1 << (8 + (inflater->input[0] >> 4));
}
