#pragma once

#include <png.h>

// Makes libpng answer RGBA8 rows with straight alpha, and the number of passes over them.
static inline int set_rgba(png_structp png, png_infop info) {
    png_set_expand(png);
    // Unlike png_set_strip_16 it rounds: (v * 255 + 32895) >> 16.
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    // Only rows that have no alpha get one.
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int pass_count = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)4 * png_get_image_width(png, info))
        png_error(png, "rows have an unexpected length");
    return pass_count;
}
