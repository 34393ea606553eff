#pragma once

#if !__has_include(<tiffio.h>)
#error "libtiff headers not found: apt-get install libtiff-dev"
#endif

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <tiffio.h>

#if TIFFLIB_VERSION < 20221213
#error "libtiff 4.5 or newer is required, whose handlers of errors belong to a file"
#endif

// Swift calls no functions with a variable number of arguments, so these do.

/// The messages about one file: the last one, and their number.
typedef struct {
    char text[256];
    uint32_t count;
} ctiff_log;

static inline int ctiff_note(TIFF *tiff, void *log, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    ctiff_log *notes = (ctiff_log *)log;
    vsnprintf(notes->text, sizeof notes->text, format, arguments);
    notes->count++;
    return 1;  // not to be printed
}

/// Opens a file that `client` reads or writes. `log` and `client` must outlive it.
static inline TIFF *ctiff_open(
    const char *mode, void *client, TIFFReadWriteProc read, TIFFReadWriteProc write, TIFFSeekProc seek,
    TIFFCloseProc close, TIFFSizeProc size, tmsize_t allocation_limit, ctiff_log *log) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, allocation_limit);
    TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_note, log);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_note, log);
    TIFF *tiff = TIFFClientOpenExt("TIFF", mode, client, read, write, seek, close, size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

static inline bool ctiff_get_short(TIFF *tiff, uint32_t tag, uint16_t *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value) == 1;
}

static inline bool ctiff_get_long(TIFF *tiff, uint32_t tag, uint32_t *value) {
    return TIFFGetFieldDefaulted(tiff, tag, value) == 1;
}

static inline bool ctiff_get_shorts(TIFF *tiff, uint32_t tag, uint16_t *count, const uint16_t **values) {
    return TIFFGetField(tiff, tag, count, values) == 1;
}

static inline bool ctiff_get_bytes(TIFF *tiff, uint32_t tag, uint32_t *count, const void **bytes) {
    return TIFFGetField(tiff, tag, count, bytes) == 1;
}

static inline bool ctiff_get_palette(
    TIFF *tiff, const uint16_t **red, const uint16_t **green, const uint16_t **blue) {
    return TIFFGetField(tiff, TIFFTAG_COLORMAP, red, green, blue) == 1;
}

static inline bool ctiff_set_number(TIFF *tiff, uint32_t tag, uint32_t value) {
    return TIFFSetField(tiff, tag, value) == 1;
}

static inline bool ctiff_set_shorts(TIFF *tiff, uint32_t tag, uint16_t count, const uint16_t *values) {
    return TIFFSetField(tiff, tag, count, values) == 1;
}

static inline bool ctiff_set_bytes(TIFF *tiff, uint32_t tag, uint32_t count, const void *bytes) {
    return TIFFSetField(tiff, tag, count, bytes) == 1;
}

/// Reads `count` rows from `row`, the first one of a strip or a row of tiles, converted to RGBA words with alpha on top.
static inline bool ctiff_read_converted(TIFF *tiff, uint32_t row, uint32_t width, uint32_t count, uint32_t *words) {
    TIFFRGBAImage image;
    char message[1024];
    if (!TIFFRGBAImageBegin(&image, tiff, 1, message)) return false;
    image.req_orientation = image.orientation;
    image.row_offset = (int)row;
    bool is_read = TIFFRGBAImageGet(&image, words, width, count) == 1;
    TIFFRGBAImageEnd(&image);
    return is_read;
}
