#include "CReference.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

enum { rows_per_call = 16 };

static void fail(j_common_ptr cinfo) { longjmp(*(jmp_buf *)cinfo->client_data, 1); }

uint8_t *reference_decode_jpeg(const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    uint8_t *volatile pixels = NULL;
    cinfo.err = jpeg_std_error(&errors);
    errors.error_exit = fail;
    jpeg_create_decompress(&cinfo);
    cinfo.client_data = &escape;
    if (setjmp(escape)) {
        free(pixels);
        jpeg_destroy_decompress(&cinfo);
        return NULL;
    }
    jpeg_mem_src(&cinfo, bytes, count);
    jpeg_read_header(&cinfo, TRUE);
    cinfo.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&cinfo);
    size_t row = (size_t)cinfo.output_width * 4;
    pixels = malloc(row * cinfo.output_height);
    while (cinfo.output_scanline < cinfo.output_height) {
        JSAMPROW rows[rows_per_call];
        for (int index = 0; index < rows_per_call; index++) rows[index] = pixels + (cinfo.output_scanline + index) * row;
        JDIMENSION left = cinfo.output_height - cinfo.output_scanline;
        jpeg_read_scanlines(&cinfo, rows, left < rows_per_call ? left : rows_per_call);
    }
    jpeg_finish_decompress(&cinfo);
    jpeg_destroy_decompress(&cinfo);
    return pixels;
}
