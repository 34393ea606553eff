#include "reduced_colors.h"

#include "reduced_vectors.h"

static uint8_t clamped(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

void colors_convert_gray(const uint8_t *gray, uint8_t *rgba, size_t width) {
    for (size_t x = 0; x < width; x++, rgba += 4) {
        rgba[0] = rgba[1] = rgba[2] = gray[x];
        rgba[3] = 255;
    }
}

// The factors are in 65536ths (JFIF 1.02): 1.402, 0.34414, 0.71414 and 1.772. Their integer parts are added separately,
// so that the others have 16 bits.
enum { red_of_cr = 26345, green_of_cb = -22554, green_of_cr = 18734, blue_of_cb = -14942, half = 1 << 15 };

/// Converts the pixels from `x` on one by one.
static void convert_from(const struct color_row *row, size_t x, uint8_t *rgba, size_t width) {
    const uint8_t *luma = row->luma, *blue = row->blue, *red = row->red;
    for (uint32_t shift = row->chroma_shift; x < width; x++) {
        int32_t y = luma[x], cb = blue[x >> shift] - 128, cr = red[x >> shift] - 128;
        rgba[4 * x] = clamped(y + cr + ((red_of_cr * cr + half) >> 16));
        rgba[4 * x + 1] = clamped(y - cr + ((green_of_cb * cb + green_of_cr * cr + half) >> 16));
        rgba[4 * x + 2] = clamped(y + 2 * cb + ((blue_of_cb * cb + half) >> 16));
        rgba[4 * x + 3] = 255;
    }
}

/// Chroma of eight pixels: pairs of Cb and Cr.
struct chroma_pairs {
    halves first, last;
};

static inline halves weighted_chroma(const struct chroma_pairs *pairs, int16_t blue, int16_t red) {
    words first = weighted_sums(pairs->first, blue, red), last = weighted_sums(pairs->last, blue, red);
    return narrowed((first + half) >> 16, (last + half) >> 16);
}

static inline void convert_eight(halves y, halves cb, halves cr, uint8_t *rgba) {
    struct chroma_pairs pairs = {first_pairs(cb, cr), last_pairs(cb, cr)};
    halves red = y + cr + weighted_chroma(&pairs, 0, red_of_cr);
    halves green = y - cr + weighted_chroma(&pairs, green_of_cb, green_of_cr);
    halves blue = y + 2 * cb + weighted_chroma(&pairs, blue_of_cb, 0);
    bytes even = packed(red, blue), odd = packed(green, (halves)(255));
    halves red_green = (halves)__builtin_shufflevector(
        even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    halves blue_alpha = (halves)__builtin_shufflevector(
        even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    halves pixels[] = {first_pairs(red_green, blue_alpha), last_pairs(red_green, blue_alpha)};
    memcpy(rgba, pixels, sizeof pixels);
}

void colors_convert(const struct color_row *row, uint8_t *rgba, size_t width) {
    size_t x = 0;
    if (row->chroma_shift == 0) {
        for (; x + 8 <= width; x += 8) {
            halves cb = halves_load_bytes(row->blue + x) - 128, cr = halves_load_bytes(row->red + x) - 128;
            convert_eight(halves_load_bytes(row->luma + x), cb, cr, rgba + 4 * x);
        }
    }
    convert_from(row, x, rgba, width);
}

void colors_double(const uint8_t *samples, size_t count, uint8_t *doubled) {
    doubled[0] = samples[0];
    for (size_t x = 0; x + 1 < count; x++) {
        uint32_t left = samples[x], right = samples[x + 1];
        doubled[2 * x + 1] = (uint8_t)((3 * left + right + 2) / 4);
        doubled[2 * x + 2] = (uint8_t)((left + 3 * right + 1) / 4);
    }
    doubled[2 * count - 1] = samples[count - 1];
}

void colors_blend(const uint8_t *samples, ptrdiff_t offset, size_t count, uint8_t *blended) {
    uint32_t rounding = offset > 0 ? 2 : 1;
    const uint8_t *others = samples + offset;
    for (size_t x = 0; x < count; x++) blended[x] = (uint8_t)((UINT32_C(3) * samples[x] + others[x] + rounding) / 4);
}
