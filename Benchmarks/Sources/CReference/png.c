#include "CReference.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    const uint8_t **position = png_get_io_ptr(png);
    memcpy(target, *position, count);
    *position += count;
}

uint8_t *reference_decode_png(const uint8_t *bytes, size_t count) {
    uint8_t *volatile pixels = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) {
        free(pixels);
        png_destroy_read_struct(&png, &info, NULL);
        return NULL;
    }
    png_set_read_fn(png, &bytes, read_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    size_t row = png_get_rowbytes(png, info), height = png_get_image_height(png, info);
    pixels = malloc(row * height);
    for (size_t y = 0; y < height; y++) png_read_row(png, pixels + y * row, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    return pixels;
}

static void count_bytes(png_structp png, png_bytep bytes, size_t count) { *(size_t *)png_get_io_ptr(png) += count; }

static void flush(png_structp png) {}

size_t reference_encode_png(const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha) {
    size_t count = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, &count, count_bytes, flush);
    png_set_IHDR(
        png, info, width, height, 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(png, info);
    if (!has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (size_t y = 0; y < height; y++) png_write_row(png, pixels + y * width * 4);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return count;
}
