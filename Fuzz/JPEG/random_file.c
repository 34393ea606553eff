#include "random_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

enum { max_side = 100, sampling_count = 7 };

/// The sampling factors of luma. Those of chroma are 1; grey has none.
static const struct {
    int horizontal, vertical;
} samplings[sampling_count] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {1, 4}, {0, 0}};

/// Returns a number below `bound`.
static int next(uint32_t *state, int bound) {
    *state = *state * 1664525 + 1013904223;
    return (int)((*state >> 12) % (uint32_t)bound);
}

/// Writes rows of a gradient with noise.
static void write_rows(struct jpeg_compress_struct *cinfo, uint32_t *state) {
    uint8_t row[max_side * 3];
    int noise = next(state, 4) == 0 ? 255 : next(state, 40);
    for (unsigned y = 0; y < cinfo->image_height; y++) {
        for (unsigned x = 0; x < cinfo->image_width; x++) {
            int values[] = {(int)x * 2, (int)y * 2, (int)((x + y) % 64 * 4)};
            for (int channel = 0; channel < 3; channel++) {
                int value = values[channel] + next(state, 2 * noise + 1) - noise;
                row[3 * x + (unsigned)channel] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
            }
        }
        JSAMPROW rows[] = {row};
        jpeg_write_scanlines(cinfo, rows, 1);
    }
}

static void set_options(struct jpeg_compress_struct *cinfo, uint32_t *state) {
    cinfo->image_width = (JDIMENSION)(1 + next(state, max_side));
    cinfo->image_height = (JDIMENSION)(1 + next(state, max_side));
    cinfo->input_components = 3;
    cinfo->in_color_space = JCS_RGB;
    jpeg_set_defaults(cinfo);
    jpeg_set_quality(cinfo, next(state, 3) == 0 ? 100 : 1 + next(state, 100), TRUE);
    int sampling = next(state, sampling_count);
    if (samplings[sampling].horizontal == 0) {
        jpeg_set_colorspace(cinfo, JCS_GRAYSCALE);
    } else {
        cinfo->comp_info[0].h_samp_factor = samplings[sampling].horizontal;
        cinfo->comp_info[0].v_samp_factor = samplings[sampling].vertical;
    }
    if (next(state, 2) == 0) cinfo->restart_interval = (unsigned)next(state, 8);
    cinfo->optimize_coding = (boolean)next(state, 2);
}

size_t write_random_file(uint8_t *bytes, size_t capacity, uint32_t seed) {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr errors;
    unsigned char *file = NULL;
    unsigned long count = 0;
    cinfo.err = jpeg_std_error(&errors);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &file, &count);
    set_options(&cinfo, &seed);
    jpeg_start_compress(&cinfo, TRUE);
    write_rows(&cinfo, &seed);
    jpeg_finish_compress(&cinfo);
    jpeg_destroy_compress(&cinfo);
    bool fits = count <= capacity;
    if (fits) memcpy(bytes, file, count);
    free(file);
    return fits ? count : 0;
}
