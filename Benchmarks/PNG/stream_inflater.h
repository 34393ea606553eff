// The interface of `inflate.h` over a library that inflates streams. The including file defines `library`, its state,
// and three functions.
#include "inflate.h"

#include <stdlib.h>
#include <string.h>

enum { portion = 1 << 16 };

typedef enum { LIBRARY_CONTINUES, LIBRARY_ENDED, LIBRARY_FAILED } library_result;

struct inflater {
    inflater_source *source;
    void *context;
    size_t produced, taken, capacity, window, left;
    library_result result;
    uint8_t *output, *next;
    library library;
    uint8_t input[portion];
};

static void library_start(library *library);
static void library_stop(library *library);
// Moves `next`, `left` and `produced` on.
static library_result library_run(inflater *inflater);

inflater *inflater_create(size_t max_taken, inflater_source *source, void *context) {
    inflater *inflater = malloc(sizeof *inflater);
    memset(inflater, 0, offsetof(struct inflater, library));
    inflater->source = source;
    inflater->context = context;
    inflater->capacity = max_taken + portion;
    inflater->output = malloc(inflater->capacity + 32);
    library_start(&inflater->library);
    return inflater;
}

void inflater_destroy(inflater *inflater) {
    if (!inflater) return;
    library_stop(&inflater->library);
    free(inflater->output);
    free(inflater);
}

static void read_input(inflater *inflater) {
    if (inflater->left) return;
    inflater->next = inflater->input;
    inflater->left = inflater->source(inflater->context, inflater->input, portion);
    if (!inflater->window && inflater->left) inflater->window = (size_t)1 << (8 + (inflater->input[0] >> 4));
}

static int advance(inflater *inflater) {
    if (inflater->result != LIBRARY_CONTINUES) return 0;
    if (inflater->produced == inflater->capacity) {
        memmove(inflater->output, inflater->output + inflater->taken, inflater->produced - inflater->taken);
        inflater->produced -= inflater->taken;
        inflater->taken = 0;
    }
    read_input(inflater);
    size_t produced = inflater->produced, left = inflater->left;
    inflater->result = library_run(inflater);
    return inflater->result != LIBRARY_FAILED && (inflater->produced != produced || inflater->left != left);
}

const uint8_t *inflater_take(inflater *inflater, size_t count) {
    while (inflater->produced - inflater->taken < count)
        if (!advance(inflater)) return NULL;
    inflater->taken += count;
    return inflater->output + inflater->taken - count;
}

int inflater_ends(inflater *inflater) {
    while (inflater->produced == inflater->taken && advance(inflater)) {}
    return inflater->result == LIBRARY_ENDED && inflater->produced == inflater->taken;
}

size_t inflater_window(inflater *inflater) {
    read_input(inflater);
    return inflater->window;
}
