#pragma once

#include <gif_lib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The data source of giflib.
struct source {
    const uint8_t *bytes;
    size_t count;
};

static inline int read_bytes(GifFileType *file, GifByteType *target, int count) {
    struct source *source = file->UserData;
    size_t taken = (size_t)count < source->count ? (size_t)count : source->count;
    memcpy(target, source->bytes, taken);
    source->bytes += taken;
    source->count -= taken;
    return (int)taken;
}
