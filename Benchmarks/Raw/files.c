#include "raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>

enum { rows_per_call = 16 };

// The smallest scale with at least two pixels per target pixel. 3/8 and 7/8 are slower than 4/8 and 8/8.
static int eighths_for(extent source, extent target) {
    static const int scales[] = {1, 2, 4, 5, 6};
    for (int index = 0; index < 5; index++) {
        uint32_t width = (source.width * scales[index] + 7) / 8, height = (source.height * scales[index] + 7) / 8;
        if (target.width * 2 <= width && target.height * 2 <= height) return scales[index];
    }
    return 8;
}

uint8_t *jpeg_shrunk(buffer file, extent bounds, extent *size) {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    cinfo.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, file.bytes, file.count);
    jpeg_read_header(&cinfo, TRUE);
    extent source = {cinfo.image_width, cinfo.image_height};
    *size = fitted(source, bounds);
    cinfo.scale_num = eighths_for(source, *size);
    cinfo.scale_denom = 8;
    cinfo.out_color_space = JCS_EXT_RGBX;
    jpeg_start_decompress(&cinfo);
    double scale = cinfo.scale_num / 8.0;
    extent decoded = {cinfo.output_width, cinfo.output_height};
    resampler *resampler = resampler_make(decoded, source.width * scale, source.height * scale, *size, 0);
    size_t row = (size_t)decoded.width * 4;
    uint8_t *pixels = malloc(row * rows_per_call);
    JSAMPROW rows[rows_per_call];
    for (int index = 0; index < rows_per_call; index++) rows[index] = pixels + index * row;
    while (cinfo.output_scanline < cinfo.output_height) {
        JDIMENSION count = jpeg_read_scanlines(&cinfo, rows, rows_per_call);
        for (JDIMENSION index = 0; index < count; index++) resampler_take(resampler, rows[index]);
    }
    free(pixels);
    jpeg_finish_decompress(&cinfo);
    jpeg_destroy_decompress(&cinfo);
    return resampler_finish(resampler);
}

buffer jpeg_written(const uint8_t *pixels, extent size) {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    cinfo.err = jpeg_std_error(&errors);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &bytes, &count);
    cinfo.image_width = size.width;
    cinfo.image_height = size.height;
    cinfo.input_components = 4;
    cinfo.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&cinfo);
    jpeg_set_quality(&cinfo, 80, TRUE);
    jpeg_start_compress(&cinfo, TRUE);
    while (cinfo.next_scanline < cinfo.image_height) {
        JSAMPROW row = (JSAMPROW)pixels + (size_t)cinfo.next_scanline * size.width * 4;
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    jpeg_destroy_compress(&cinfo);
    return (buffer){bytes, count};
}

buffer webp_written(const uint8_t *pixels, extent size) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    WebPConfigInit(&config);
    WebPPictureInit(&picture);
    WebPMemoryWriterInit(&writer);
    config.quality = 80;
    config.method = 4;
    picture.width = (int)size.width;
    picture.height = (int)size.height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    if (!WebPPictureImportRGBX(&picture, pixels, (int)size.width * 4) || !WebPEncode(&config, &picture)) abort();
    WebPPictureFree(&picture);
    return (buffer){writer.mem, writer.size};
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    const uint8_t **position = png_get_io_ptr(png);
    memcpy(target, *position, count);
    *position += count;
}

uint8_t *png_shrunk(buffer file, extent bounds, extent *size) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) abort();
    png_set_read_fn(png, &file.bytes, read_bytes);
    png_read_info(png, info);
    extent source = {png_get_image_width(png, info), png_get_image_height(png, info)};
    int has_alpha = png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA;
    png_set_expand(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    *size = fitted(source, bounds);
    resampler *resampler = resampler_make(source, source.width, source.height, *size, has_alpha);
    uint8_t *row = malloc(png_get_rowbytes(png, info));
    for (uint32_t y = 0; y < source.height; y++) {
        png_read_row(png, row, NULL);
        resampler_take(resampler, row);
    }
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return resampler_finish(resampler);
}

static void append_bytes(png_structp png, png_bytep bytes, size_t count) {
    buffer *file = png_get_io_ptr(png);
    file->bytes = realloc(file->bytes, file->count + count);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void flush(png_structp png) {}

buffer png_written(const uint8_t *pixels, extent size) {
    buffer file = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) abort();
    png_set_write_fn(png, &file, append_bytes, flush);
    png_set_compression_level(png, 6);
    png_set_IHDR(png, info, size.width, size.height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, 0, 0);
    png_write_info(png, info);
    for (uint32_t y = 0; y < size.height; y++) png_write_row(png, pixels + (size_t)y * size.width * 4);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return file;
}
