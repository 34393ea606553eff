#include "CPNG.h"
#include "rgba.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct cpng_feeder {
    png_structp png;
    png_infop info;
    uint32_t width, height;
    // Set only during cpng_feed.
    const cpng_sink *sink;
    int has_alpha, pass_count, has_warned;
    deep_conversion deep;
    char message[128];
};

static void fail(png_structp png, png_const_charp message) {
    cpng_feeder *feeder = png_get_error_ptr(png);
    strncpy(feeder->message, message, sizeof feeder->message - 1);
    png_longjmp(png, 1);
}

static void warn(png_structp png, png_const_charp message) {
    cpng_feeder *feeder = png_get_error_ptr(png);
    feeder->has_warned = 1;
}

static void start(png_structp png, png_infop info) {
    cpng_feeder *feeder = png_get_progressive_ptr(png);
    if (png_get_image_width(png, info) != feeder->width || png_get_image_height(png, info) != feeder->height)
        png_error(png, "the image size differs from the header");
    feeder->has_alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
    feeder->pass_count = set_rgba(png, info, &feeder->deep);
}

static void take_row(png_structp png, png_bytep row, png_uint_32 y, int pass) {
    cpng_feeder *feeder = png_get_progressive_ptr(png);
    const cpng_sink *sink = feeder->sink;
    // libpng passes NULL for a row that is unchanged by this pass.
    if (!row) return;
    if (sink->pixels) {
        uint8_t *target = sink->pixels + (size_t)4 * feeder->width * y;
        png_progressive_combine_row(png, target, row);
        row = target;
    }
    if (sink->take_row(sink->context, y, pass, row)) png_error(png, "decoding was cancelled");
}

cpng_feeder *cpng_feeder_create(uint32_t width, uint32_t height, int checks_sums) {
    cpng_feeder *feeder = calloc(1, sizeof *feeder);
    if (!feeder) return NULL;
    feeder->width = width;
    feeder->height = height;
    feeder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, feeder, fail, warn);
    if (feeder->png) feeder->info = png_create_info_struct(feeder->png);
    if (!feeder->info) {
        cpng_feeder_destroy(feeder);
        return NULL;
    }
    int action = checks_sums ? PNG_CRC_ERROR_QUIT : PNG_CRC_QUIET_USE;
    png_set_crc_action(feeder->png, action, action);
    png_set_option(feeder->png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    if (!checks_sums) png_set_option(feeder->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    png_set_user_limits(feeder->png, width, height);
    png_set_keep_unknown_chunks(feeder->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_progressive_read_fn(feeder->png, feeder, start, take_row, NULL);
    return feeder;
}

void cpng_feeder_destroy(cpng_feeder *feeder) {
    png_destroy_read_struct(&feeder->png, &feeder->info, NULL);
    free(feeder);
}

const char *cpng_feeder_message(const cpng_feeder *feeder) { return feeder->message; }

void cpng_feeder_set_convert(cpng_feeder *feeder, cpng_convert *convert, void *context) {
    feeder->deep = (deep_conversion){convert, context};
}

int cpng_feed(cpng_feeder *feeder, const uint8_t *bytes, size_t count, const cpng_sink *sink) {
    feeder->sink = sink;
    if (setjmp(png_jmpbuf(feeder->png))) return CPNG_FAILED;
    // libpng only reads the bytes, although the parameter type is not const.
    png_process_data(feeder->png, feeder->info, (png_bytep)bytes, count);
    return CPNG_OK;
}

int cpng_feeder_has_alpha(const cpng_feeder *feeder) { return feeder->has_alpha; }

int cpng_feeder_is_complete(const cpng_feeder *feeder) {
    if (!feeder->pass_count) return 0;
    return feeder->pass_count > 1 ? png_get_current_pass_number(feeder->png) >= feeder->pass_count
                                  : png_get_current_row_number(feeder->png) >= feeder->height;
}

int cpng_feeder_has_warned(const cpng_feeder *feeder) { return feeder->has_warned; }
