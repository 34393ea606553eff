#include "CReference.h"

#include <stdlib.h>
#include <webp/decode.h>

uint8_t *reference_decode_webp(const uint8_t *bytes, size_t count) {
    int width, height;
    if (!WebPGetInfo(bytes, count, &width, &height)) return NULL;
    size_t row = (size_t)width * 4, size = row * (size_t)height;
    uint8_t *pixels = malloc(size);
    if (WebPDecodeRGBAInto(bytes, count, pixels, size, (int)row)) return pixels;
    free(pixels);
    return NULL;
}
