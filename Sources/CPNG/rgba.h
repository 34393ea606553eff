#pragma once

#include <png.h>

// Configures libpng to return RGBA8 rows with straight alpha. Returns the number of passes.
static inline int set_rgba(png_structp png, png_infop info) {
    png_set_expand(png);
    // Unlike png_set_strip_16, this rounds: (v * 255 + 32895) >> 16.
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    // Only rows without alpha get an alpha channel.
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int pass_count = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)4 * png_get_image_width(png, info))
        png_error(png, "rows have an unexpected length");
    return pass_count;
}
