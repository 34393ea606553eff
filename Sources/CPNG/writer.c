#include "CPNG.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct cpng_writer {
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count, capacity;
    char message[128];
};

static void fail(png_structp png, png_const_charp message) {
    cpng_writer *writer = png_get_error_ptr(png);
    strncpy(writer->message, message, sizeof writer->message - 1);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {}

static void flush(png_structp png) {}

// Room for `count` more bytes; doubles, so that a large file is not copied often.
static int reserve(cpng_writer *writer, size_t count) {
    if (count > SIZE_MAX / 2 - writer->count) return 0;
    size_t needed = writer->count + count, capacity = writer->capacity ? writer->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    if (capacity == writer->capacity) return 1;
    uint8_t *bytes = realloc(writer->bytes, capacity);
    if (!bytes) return 0;
    writer->bytes = bytes;
    writer->capacity = capacity;
    return 1;
}

static void write_bytes(png_structp png, png_bytep source, size_t count) {
    cpng_writer *writer = png_get_io_ptr(png);
    if (!reserve(writer, count)) png_error(png, "there is no memory for the file");
    memcpy(writer->bytes + writer->count, source, count);
    writer->count += count;
}

cpng_writer *cpng_writer_create(void) {
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore);
    if (writer->png) writer->info = png_create_info_struct(writer->png);
    if (writer->info) return writer;
    cpng_writer_destroy(writer);
    return NULL;
}

void cpng_writer_destroy(cpng_writer *writer) {
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

const char *cpng_writer_message(const cpng_writer *writer) { return writer->message; }

int cpng_write_header(cpng_writer *writer, uint32_t width, uint32_t height, int has_alpha, int level) {
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return CPNG_FAILED;
    png_set_write_fn(png, writer, write_bytes, flush);
    // libpng's own bound is a million pixels a side.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, level);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(
        png, writer->info, width, height, 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(png, writer->info);
    if (!has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
    return CPNG_OK;
}

int cpng_write_row(cpng_writer *writer, const uint8_t *row) {
    if (setjmp(png_jmpbuf(writer->png))) return CPNG_FAILED;
    png_write_row(writer->png, row);
    return CPNG_OK;
}

int cpng_finish(cpng_writer *writer, uint8_t **bytes, size_t *count) {
    if (setjmp(png_jmpbuf(writer->png))) return CPNG_FAILED;
    png_write_end(writer->png, NULL);
    *bytes = writer->bytes;
    *count = writer->count;
    writer->bytes = NULL;
    return CPNG_OK;
}
