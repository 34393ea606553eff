#include "reduced.h"

#include "reduced_colors.h"
#include "reduced_scan.h"

#include <stdlib.h>
#include <string.h>

/// The tables of a component.
struct tables {
    struct codes dc_codes, ac_codes;
    dc_table dc;
    union {
        skip_table skips;
        value_table values;
    } ac;
};

struct reduced {
    struct scan scan;
    /// By component. Those with the same codes, quantizers and scale share the first one's.
    struct tables tables[max_component_count];
    uint32_t width, height, row_count;
    /// The number of rows of samples in a row of MCUs, and the next one.
    int32_t rows_per_mcu, mcu_row;
    /// The number of bits by which positions in luma and in chroma differ.
    uint32_t chroma_shift_x, chroma_shift_y;
    /// The number of samples in a row of chroma if it is interpolated to twice as many, otherwise 0.
    uint32_t doubled_count;
    /// Whether chroma is interpolated between rows. This requires the last rows of the previous row of MCUs, row -1 of
    /// each component, and the last row of an MCU requires the next MCU.
    bool blends_rows;
    /// Of all components, and then of a row of interpolated blue and one of interpolated red.
    uint8_t *samples, *blue, *red;
};

#if defined(LIBJPEG_TURBO_VERSION) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static uint32_t scale_of(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return (uint32_t)component->DCT_h_scaled_size;
#else
    return (uint32_t)component->DCT_scaled_size;
#endif
}

/// Whether the file has a single scan of grey or YCbCr, all of whose coefficients follow in one piece.
static bool is_supported(const struct jpeg_decompress_struct *cinfo) {
    bool is_gray = cinfo->jpeg_color_space == JCS_GRAYSCALE && cinfo->num_components == 1;
    bool is_color = cinfo->jpeg_color_space == JCS_YCbCr && cinfo->num_components == max_component_count;
    if ((!is_gray && !is_color) || cinfo->out_color_space != JCS_EXT_RGBA || cinfo->data_precision != 8) return false;
    if (cinfo->progressive_mode || cinfo->arith_code || cinfo->comps_in_scan != cinfo->num_components) return false;
    for (int index = 0; index < cinfo->num_components; index++) {
        if (cinfo->cur_comp_info[index] != &cinfo->comp_info[index]) return false;
    }
    return cinfo->Ss == 0 && cinfo->Se == block_size - 1 && cinfo->Ah == 0 && cinfo->Al == 0;
}

/// Sets the sizes of components in an MCU. Returns false if the chroma is sampled in an unusual way.
static bool prepare_components(struct scan *scan, const struct jpeg_decompress_struct *cinfo) {
    const jpeg_component_info *infos = cinfo->comp_info;
    scan->component_count = cinfo->num_components;
    for (int index = 0; index < scan->component_count; index++) {
        struct component *component = &scan->components[index];
        // The factors of a single component do not matter (ITU-T T.81, A.2.2).
        component->width = scan->component_count == 1 ? 1 : (uint32_t)infos[index].h_samp_factor;
        component->height = scan->component_count == 1 ? 1 : (uint32_t)infos[index].v_samp_factor;
        component->scale = scale_of(&infos[index]);
        if (index > 0 && (component->width != 1 || component->height != 1)) return false;
    }
    const struct component *luma = &scan->components[0];
    if (luma->scale > 2 || luma->width == 3 || luma->height == 3 || luma->width * luma->height > 4) return false;
    if (scan->component_count == 1) return true;
    uint32_t chroma_scale = luma->scale * (luma->width == 2 && luma->height == 2 ? 2 : 1);
    return scan->components[1].scale == chroma_scale && scan->components[2].scale == chroma_scale;
}

/// Sets how chroma is upsampled.
static void prepare_chroma(struct reduced *reduced, const struct jpeg_decompress_struct *cinfo) {
    const struct component *luma = &reduced->scan.components[0], *chroma = &reduced->scan.components[1];
    if (reduced->scan.component_count == 1) return;
    reduced->chroma_shift_x = luma->width * luma->scale / chroma->scale / 2;
    reduced->chroma_shift_y = luma->height * luma->scale / chroma->scale / 2;
    if (luma->scale == 1) return;
    // libjpeg does not interpolate rows of two samples, nor to four times as many.
    uint32_t count = cinfo->comp_info[1].downsampled_width;
    if (luma->width == 2 && luma->height == 1 && count > 2) reduced->doubled_count = count;
    reduced->blends_rows = luma->width == 1 && luma->height == 2;
}

/// Sets the size of the image in blocks and in samples. Returns false if the chroma is sampled in an unusual way.
static bool prepare_blocks(struct reduced *reduced, const struct jpeg_decompress_struct *cinfo) {
    struct scan *scan = &reduced->scan;
    if (!prepare_components(scan, cinfo)) return false;
    prepare_chroma(reduced, cinfo);
    const struct component *luma = &scan->components[0];
    scan->mcus_per_row = (cinfo->image_width + 8 * luma->width - 1) / (8 * luma->width);
    scan->row_count = (cinfo->image_height + 8 * luma->height - 1) / (8 * luma->height);
    reduced->rows_per_mcu = reduced->mcu_row = (int32_t)(luma->height * luma->scale);
    reduced->width = cinfo->output_width;
    reduced->height = cinfo->output_height;
    return true;
}

/// Returns the number of rows of a component in a row of MCUs.
static size_t row_count_of(const struct component *component) { return component->height * component->scale; }

/// Allocates the samples of a row of MCUs. Returns false if memory is exhausted.
static bool allocate_samples(struct reduced *reduced) {
    struct scan *scan = &reduced->scan;
    size_t count = 0, previous_count = reduced->blends_rows ? 1 : 0;
    for (int index = 0; index < scan->component_count; index++) {
        struct component *component = &scan->components[index];
        component->stride = (size_t)scan->mcus_per_row * component->width * component->scale;
        count += component->stride * (previous_count + row_count_of(component));
    }
    // As many as are interpolated, and at least the width of the image.
    size_t color_count = scan->components[0].stride;
    uint8_t *samples = reduced->samples = malloc(count + 2 * color_count);
    if (samples == NULL) return false;
    for (int index = 0; index < scan->component_count; index++) {
        struct component *component = &scan->components[index];
        component->samples = samples + component->stride * previous_count;
        samples = component->samples + component->stride * row_count_of(component);
    }
    reduced->blue = samples;
    reduced->red = samples + color_count;
    return true;
}

/// Sets the quantizers and places of coefficients. Returns false unless all quantizers have 8 bits, as in baseline
/// files.
static bool prepare_quantizers(struct component *component, const JQUANT_TBL *table) {
    // The position in the block by index in zigzag order (ITU-T T.81, figure A.6).
    static const uint8_t positions[block_size] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    };
    if (table == NULL) return false;
    memset(component->places, outer_place, sizeof component->places);
    for (int index = 0; index < block_size; index++) {
        uint16_t quantizer = table->quantval[positions[index]];
        if (quantizer == 0 || quantizer > 255) return false;
        component->quantizers[positions[index]] = (int16_t)quantizer;
        component->places[index + 1] = positions[index];
    }
    return true;
}

/// Returns the maximum size of values whose products with any quantizer are in range.
static uint32_t max_value_size(const struct component *component) {
    uint32_t size = 15;
    for (int index = 0; index < block_size; index++) {
        while (component->quantizers[index] * ((1 << size) - 1) > max_coefficient) size--;
    }
    return size;
}

static bool prepare_tables(
    struct tables *tables, const struct component *component, const JHUFF_TBL *dc, const JHUFF_TBL *ac) {
    if (dc == NULL || ac == NULL) return false;
    if (!codes_prepare(&tables->dc_codes, dc->bits, dc->huffval)) return false;
    if (!codes_prepare(&tables->ac_codes, ac->bits, ac->huffval)) return false;
    int symbol_count = 0;
    for (int length = 1; length <= 16; length++) symbol_count += dc->bits[length];
    for (int index = 0; index < symbol_count; index++) {
        if (dc->huffval[index] > 15) return false;
    }
    codes_fill_dc(&tables->dc_codes, tables->dc);
    if (component->scale == 1) {
        codes_fill_skips(&tables->ac_codes, tables->ac.skips);
    } else {
        codes_fill_values(&tables->ac_codes, max_value_size(component), tables->ac.values);
    }
    return true;
}

static bool is_table_index(int index, int count) { return index >= 0 && index < count; }

static bool have_same_tables(const jpeg_component_info *one, const jpeg_component_info *other) {
    bool have_same_codes = one->dc_tbl_no == other->dc_tbl_no && one->ac_tbl_no == other->ac_tbl_no;
    return have_same_codes && one->quant_tbl_no == other->quant_tbl_no && scale_of(one) == scale_of(other);
}

/// Prepares the quantizers and tables of a component. Returns false if some are missing or unusual.
static bool prepare_component(struct reduced *reduced, int index, const struct jpeg_decompress_struct *cinfo) {
    const jpeg_component_info *info = &cinfo->comp_info[index];
    struct component *component = &reduced->scan.components[index];
    if (!is_table_index(info->quant_tbl_no, NUM_QUANT_TBLS)) return false;
    if (!is_table_index(info->dc_tbl_no, NUM_HUFF_TBLS)) return false;
    if (!is_table_index(info->ac_tbl_no, NUM_HUFF_TBLS)) return false;
    if (!prepare_quantizers(component, cinfo->quant_tbl_ptrs[info->quant_tbl_no])) return false;
    int shared = 0;
    while (shared < index && !have_same_tables(info, &cinfo->comp_info[shared])) shared++;
    struct tables *tables = &reduced->tables[shared];
    const JHUFF_TBL *dc = cinfo->dc_huff_tbl_ptrs[info->dc_tbl_no], *ac = cinfo->ac_huff_tbl_ptrs[info->ac_tbl_no];
    if (shared == index && !prepare_tables(tables, component, dc, ac)) return false;
    component->dc_codes = &tables->dc_codes;
    component->ac_codes = &tables->ac_codes;
    component->dc_table = tables->dc;
    component->skip_table = tables->ac.skips;
    component->value_table = tables->ac.values;
    return true;
}

static bool prepare(struct reduced *reduced, const struct jpeg_decompress_struct *cinfo) {
    for (int index = 0; index < cinfo->num_components; index++) {
        if (!prepare_component(reduced, index, cinfo)) return false;
    }
    struct scan *scan = &reduced->scan;
    scan->restart_interval = cinfo->restart_interval;
    scan->segments.next = cinfo->src->next_input_byte;
    scan->segments.end = cinfo->src->next_input_byte + cinfo->src->bytes_in_buffer;
    scan_start(scan);
    return true;
}

struct reduced *reduced_create(const struct jpeg_decompress_struct *cinfo) {
    if (!is_supported(cinfo)) return NULL;
    struct reduced *reduced = calloc(1, sizeof *reduced);
    if (reduced == NULL) return NULL;
    if (prepare_blocks(reduced, cinfo) && allocate_samples(reduced) && prepare(reduced, cinfo)) return reduced;
    reduced_destroy(reduced);
    return NULL;
}

#else

struct reduced *reduced_create(const struct jpeg_decompress_struct *cinfo) { return NULL; }

#endif

void reduced_destroy(struct reduced *reduced) {
    if (reduced == NULL) return;
    free(reduced->samples);
    free(reduced);
}

uint32_t reduced_row_count(const struct reduced *reduced) { return reduced->row_count; }

/// Whether the next row of MCUs must be read before the next row.
static bool needs_mcus(const struct reduced *reduced) {
    bool needs_next = reduced->blends_rows && reduced->row_count > 0 && reduced->row_count + 1 < reduced->height;
    return reduced->mcu_row + needs_next == reduced->rows_per_mcu;
}

static bool read_mcus(struct reduced *reduced) {
    bool continues = reduced->blends_rows && reduced->row_count > 0;
    for (int index = 0; continues && index < reduced->scan.component_count; index++) {
        const struct component *component = &reduced->scan.components[index];
        size_t stride = component->stride, last_row = row_count_of(component) - 1;
        memcpy(component->samples - stride, component->samples + last_row * stride, stride);
    }
    reduced->mcu_row = continues ? -1 : 0;
    return scan_read_row(&reduced->scan);
}

/// Returns the offset of the other row from which the chroma of this one is interpolated; 0 at the edges of the image.
static ptrdiff_t blended_offset(const struct reduced *reduced) {
    ptrdiff_t stride = (ptrdiff_t)reduced->scan.components[1].stride;
    if (reduced->mcu_row % 2 == 0) return reduced->row_count == 0 ? 0 : -stride;
    return reduced->row_count + 1 == reduced->height ? 0 : stride;
}

static void convert_color_row(const struct reduced *reduced, uint8_t *rgba) {
    const struct component *luma = &reduced->scan.components[0], *chroma = &reduced->scan.components[1];
    ptrdiff_t position = (reduced->mcu_row >> reduced->chroma_shift_y) * (ptrdiff_t)chroma->stride;
    struct color_row row = {
        .luma = luma->samples + reduced->mcu_row * (ptrdiff_t)luma->stride,
        .blue = chroma->samples + position,
        .red = reduced->scan.components[2].samples + position,
        .chroma_shift = reduced->chroma_shift_x,
    };
    if (reduced->doubled_count > 0) {
        colors_double(row.blue, reduced->doubled_count, reduced->blue);
        colors_double(row.red, reduced->doubled_count, reduced->red);
        row = (struct color_row){row.luma, reduced->blue, reduced->red, 0};
    } else if (reduced->blends_rows) {
        colors_blend(row.blue, blended_offset(reduced), reduced->width, reduced->blue);
        colors_blend(row.red, blended_offset(reduced), reduced->width, reduced->red);
        row = (struct color_row){row.luma, reduced->blue, reduced->red, 0};
    }
    colors_convert(&row, rgba, reduced->width);
}

bool reduced_read_row(struct reduced *reduced, uint8_t *rgba) {
    if (reduced->row_count == reduced->height) return false;
    if (needs_mcus(reduced) && !read_mcus(reduced)) return false;
    // The samples of an MCU cover at least the width of the image, and `mcu_row` is one of its rows.
    if (reduced->scan.component_count == 1) {
        const struct component *gray = &reduced->scan.components[0];
        colors_convert_gray(gray->samples + (size_t)reduced->mcu_row * gray->stride, rgba, reduced->width);
    } else {
        convert_color_row(reduced, rgba);
    }
    reduced->mcu_row++;
    reduced->row_count++;
    return true;
}
