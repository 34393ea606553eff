#include "raw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef float pixel __attribute__((vector_size(16)));
typedef int32_t wide __attribute__((vector_size(16)));
typedef uint8_t narrow __attribute__((vector_size(4)));

typedef struct {
    int *starts, *ends;
    float **weights;
} windows;

struct resampler {
    extent source, target;
    int has_alpha, row, first, slots;
    windows across, down;
    pixel *taken, *resized, *sums;
    uint8_t *output;
};

extent fitted(extent source, extent bounds) {
    if (source.width <= bounds.width && source.height <= bounds.height) return source;
    uint64_t by_height = (uint64_t)source.width * bounds.height, by_width = (uint64_t)bounds.width * source.height;
    if (by_height > by_width) return (extent){bounds.width, (uint32_t)((by_width + source.width - 1) / source.width)};
    return (extent){(uint32_t)((by_height + source.height - 1) / source.height), bounds.height};
}

static double lanczos(double x) {
    if (x == 0) return 1;
    if (fabs(x) >= 3) return 0;
    return 3 * sin(M_PI * x) * sin(M_PI * x / 3) / (M_PI * M_PI * x * x);
}

static windows windows_make(int source, double covered, int target) {
    windows made = {malloc(sizeof(int) * target), malloc(sizeof(int) * target), malloc(sizeof(float *) * target)};
    double scale = covered / target, widening = scale > 1 ? scale : 1, support = 3 * widening;
    for (int index = 0; index < target; index++) {
        double center = (index + 0.5) * scale, sum = 0;
        int start = fmax(0, center - support + 0.5), end = fmin(source, center + support + 0.5);
        float *weights = made.weights[index] = malloc(sizeof(float) * (end - start));
        for (int tap = start; tap < end; tap++) sum += weights[tap - start] = lanczos((tap + 0.5 - center) / widening);
        for (int tap = start; tap < end; tap++) weights[tap - start] /= sum;
        made.starts[index] = start;
        made.ends[index] = end;
    }
    return made;
}

static void windows_free(windows old, int target) {
    for (int index = 0; index < target; index++) free(old.weights[index]);
    free(old.starts);
    free(old.ends);
    free(old.weights);
}

resampler *resampler_make(extent source, double width, double height, extent target, int has_alpha) {
    resampler *self = calloc(1, sizeof *self);
    *self = (resampler){.source = source, .target = target, .has_alpha = has_alpha};
    self->across = windows_make(source.width, width, target.width);
    self->down = windows_make(source.height, height, target.height);
    for (int first = 0, last = 0; last < (int)target.height; last++) {
        while (self->down.ends[first] <= self->down.starts[last]) first++;
        if (last - first + 1 > self->slots) self->slots = last - first + 1;
    }
    self->taken = aligned_alloc(16, sizeof(pixel) * source.width);
    self->resized = aligned_alloc(16, sizeof(pixel) * target.width);
    self->sums = aligned_alloc(16, sizeof(pixel) * target.width * self->slots);
    memset(self->sums, 0, sizeof(pixel) * target.width * self->slots);
    self->output = malloc((size_t)target.width * target.height * 4);
    return self;
}

static void premultiply(resampler *self, const uint8_t *row) {
    for (uint32_t x = 0; x < self->source.width; x++) {
        narrow bytes;
        memcpy(&bytes, row + 4 * x, 4);
        pixel values = __builtin_convertvector(bytes, pixel);
        if (self->has_alpha) {
            float alpha = values[3];
            values *= alpha / 255;
            values[3] = alpha;
        }
        self->taken[x] = values;
    }
}

static void resize_across(resampler *self) {
    for (uint32_t x = 0; x < self->target.width; x++) {
        const pixel *source = self->taken + self->across.starts[x];
        const float *weights = self->across.weights[x];
        int count = self->across.ends[x] - self->across.starts[x], tap = 0;
        // Two sums, which shorten the dependency chain.
        pixel even = {0}, odd = {0};
        for (; tap + 2 <= count; tap += 2) {
            even += source[tap] * weights[tap];
            odd += source[tap + 1] * weights[tap + 1];
        }
        if (tap < count) even += source[tap] * weights[tap];
        self->resized[x] = even + odd;
    }
}

static void write_row(resampler *self, int y) {
    pixel *sums = self->sums + (size_t)(y % self->slots) * self->target.width;
    uint8_t *row = self->output + (size_t)y * self->target.width * 4;
    for (uint32_t x = 0; x < self->target.width; x++) {
        pixel sum = sums[x];
        sums[x] = (pixel){0};
        if (self->has_alpha) {
            float alpha = sum[3] < 255 ? sum[3] : 255;
            sum = alpha < 0.5f ? (pixel){0} : sum * (255 / alpha);
            sum[3] = alpha < 0.5f ? 0 : alpha;
        }
        wide rounded = __builtin_convertvector(sum + 0.5f, wide);
        rounded &= rounded > 0;
        rounded = (rounded < 255 & rounded) | (rounded >= 255 & 255);
        narrow bytes = __builtin_convertvector(rounded, narrow);
        memcpy(row + 4 * x, &bytes, 4);
    }
}

void resampler_take(resampler *self, const uint8_t *row) {
    premultiply(self, row);
    resize_across(self);
    for (int y = self->first; y < (int)self->target.height && self->down.starts[y] <= self->row; y++) {
        if (self->row >= self->down.ends[y]) continue;
        float weight = self->down.weights[y][self->row - self->down.starts[y]];
        pixel *sums = self->sums + (size_t)(y % self->slots) * self->target.width;
        for (uint32_t x = 0; x < self->target.width; x++) sums[x] += self->resized[x] * weight;
    }
    self->row++;
    while (self->first < (int)self->target.height && self->down.ends[self->first] <= self->row) {
        write_row(self, self->first++);
    }
}

uint8_t *resampler_finish(resampler *self) {
    uint8_t *output = self->output;
    windows_free(self->across, self->target.width);
    windows_free(self->down, self->target.height);
    free(self->taken);
    free(self->resized);
    free(self->sums);
    free(self);
    return output;
}
