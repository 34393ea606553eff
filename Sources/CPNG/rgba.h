#pragma once

#include "deep.h"

#include <png.h>

// The last transform of libpng for rows with 16 bits per channel: it leaves RGBA8.
static void convert_row(png_structp png, png_row_infop row, png_bytep pixels) {
    convert_deep(png_get_user_transform_ptr(png), pixels, pixels, row->width);
}

// Makes rows with 16 bits per channel RGBA of native values, and converts them.
static inline void set_deep(png_structp png, deep_conversion *deep) {
    png_set_add_alpha(png, 65535, PNG_FILLER_AFTER);
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    png_set_swap(png);
#endif
    png_set_read_user_transform_fn(png, convert_row);
    png_set_user_transform_info(png, deep, 8, 4);
}

// Configures libpng to return RGBA8 rows with straight alpha. Rows with 16 bits per channel are converted by `deep`, if
// it has a conversion. Returns the number of passes.
static inline int set_rgba(png_structp png, png_infop info, deep_conversion *deep) {
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    if (deep->convert && png_get_bit_depth(png, info) == 16) {
        set_deep(png, deep);
    } else {
        // Unlike png_set_strip_16, this rounds: (v * 255 + 32895) >> 16.
        png_set_scale_16(png);
        // Only rows without alpha get an alpha channel.
        png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    }
    int pass_count = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)4 * png_get_image_width(png, info))
        png_error(png, "rows have an unexpected length");
    return pass_count;
}
