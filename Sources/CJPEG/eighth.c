#include "eighth.h"

#include "eighth_scan.h"

#include <stdlib.h>

/// The tables of a component.
struct tables {
    struct codes dc_codes, ac_codes;
    dc_table dc;
    union {
        skip_table skips;
        value_table values;
    } ac;
};

struct eighth {
    struct scan scan;
    /// By component. Those with the same codes share the first one's.
    struct tables tables[max_component_count];
    uint32_t width, height, row_count;
    /// The number of rows of samples in a row of MCUs, and how many have been read.
    uint32_t rows_per_mcu, mcu_row;
    /// The number of bits by which positions in luma and in chroma differ.
    uint32_t chroma_shift_x, chroma_shift_y;
    /// Of all components.
    uint8_t *samples;
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

/// Sets the size of the image in blocks. Returns false if the chroma is sampled in an unusual way.
static bool prepare_blocks(struct eighth *eighth, const struct jpeg_decompress_struct *cinfo) {
    struct scan *scan = &eighth->scan;
    const jpeg_component_info *infos = cinfo->comp_info;
    bool is_gray = cinfo->num_components == 1;
    uint32_t width = 1, height = 1, chroma_scale = 1;
    // The factors of a single component do not matter (ITU-T T.81, A.2.2).
    if (!is_gray) {
        width = (uint32_t)infos[0].h_samp_factor;
        height = (uint32_t)infos[0].v_samp_factor;
        if (width == 3 || height == 3 || width * height > 4) return false;
        chroma_scale = width == 2 && height == 2 ? 2 : 1;
    }
    for (int index = 0; index < cinfo->num_components; index++) {
        bool is_luma = index == 0;
        if (!is_luma && (infos[index].h_samp_factor != 1 || infos[index].v_samp_factor != 1)) return false;
        struct component *component = &scan->components[index];
        component->width = is_luma ? width : 1;
        component->height = is_luma ? height : 1;
        component->scale = is_luma ? 1 : chroma_scale;
        if (scale_of(&infos[index]) != component->scale) return false;
    }
    scan->component_count = cinfo->num_components;
    scan->mcus_per_row = (cinfo->image_width + 8 * width - 1) / (8 * width);
    scan->row_count = (cinfo->image_height + 8 * height - 1) / (8 * height);
    eighth->rows_per_mcu = eighth->mcu_row = height;
    eighth->chroma_shift_x = width / chroma_scale / 2;
    eighth->chroma_shift_y = height / chroma_scale / 2;
    eighth->width = cinfo->output_width;
    eighth->height = cinfo->output_height;
    return true;
}

/// Allocates the samples of a row of MCUs. Returns false if memory is exhausted.
static bool allocate_samples(struct eighth *eighth) {
    struct scan *scan = &eighth->scan;
    size_t count = 0;
    for (int index = 0; index < scan->component_count; index++) {
        struct component *component = &scan->components[index];
        component->stride = (size_t)scan->mcus_per_row * component->width * component->scale;
        count += component->stride * component->height * component->scale;
    }
    uint8_t *samples = eighth->samples = malloc(count);
    if (samples == NULL) return false;
    for (int index = 0; index < scan->component_count; index++) {
        struct component *component = &scan->components[index];
        component->samples = samples;
        samples += component->stride * component->height * component->scale;
    }
    return true;
}

/// Calculates the contributions of coefficients. Returns false unless all quantizers have 8 bits, as in baseline files.
static bool prepare_quantizers(struct component *component, const JQUANT_TBL *table) {
    // The position in the block by index in zigzag order (ITU-T T.81, figure A.6).
    static const uint8_t positions[block_size] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    };
    if (table == NULL) return false;
    for (int index = 0; index < block_size; index++) {
        uint32_t row = positions[index] / 8, column = positions[index] % 8;
        uint16_t quantizer = table->quantval[positions[index]];
        if (quantizer == 0 || quantizer > 255) return false;
        component->quantizers[index + 1] = (uint8_t)quantizer;
        bool is_used = (row == 0 || row % 2 == 1) && (column == 0 || column % 2 == 1);
        int32_t weight = row == 0 ? 1 << even_shift : odd_weights[row / 2];
        component->contributions[index + 1] = (struct contribution){
            .factor = is_used ? quantizer * weight : 0,
            .sum = is_used ? (column + 1) / 2 + (row == 0 ? 0 : column_count) : unused_sum,
        };
    }
    return true;
}

static bool prepare_tables(struct tables *tables, uint32_t scale, const JHUFF_TBL *dc, const JHUFF_TBL *ac) {
    if (dc == NULL || ac == NULL) return false;
    if (!codes_prepare(&tables->dc_codes, dc->bits, dc->huffval)) return false;
    if (!codes_prepare(&tables->ac_codes, ac->bits, ac->huffval)) return false;
    int symbol_count = 0;
    for (int length = 1; length <= 16; length++) symbol_count += dc->bits[length];
    for (int index = 0; index < symbol_count; index++) {
        if (dc->huffval[index] > 15) return false;
    }
    codes_fill_dc(&tables->dc_codes, tables->dc);
    if (scale == 1) {
        codes_fill_skips(&tables->ac_codes, tables->ac.skips);
    } else {
        codes_fill_values(&tables->ac_codes, tables->ac.values);
    }
    return true;
}

static bool is_table_index(int index, int count) { return index >= 0 && index < count; }

/// Prepares the quantizers and tables of a component. Returns false if some are missing or unusual.
static bool prepare_component(struct eighth *eighth, int index, const struct jpeg_decompress_struct *cinfo) {
    const jpeg_component_info *info = &cinfo->comp_info[index];
    struct component *component = &eighth->scan.components[index];
    if (!is_table_index(info->quant_tbl_no, NUM_QUANT_TBLS)) return false;
    if (!is_table_index(info->dc_tbl_no, NUM_HUFF_TBLS)) return false;
    if (!is_table_index(info->ac_tbl_no, NUM_HUFF_TBLS)) return false;
    if (!prepare_quantizers(component, cinfo->quant_tbl_ptrs[info->quant_tbl_no])) return false;
    int shared = 0;
    for (; shared < index; shared++) {
        const jpeg_component_info *other = &cinfo->comp_info[shared];
        bool has_same_codes = other->dc_tbl_no == info->dc_tbl_no && other->ac_tbl_no == info->ac_tbl_no;
        if (has_same_codes && eighth->scan.components[shared].scale == component->scale) break;
    }
    struct tables *tables = &eighth->tables[shared];
    const JHUFF_TBL *dc = cinfo->dc_huff_tbl_ptrs[info->dc_tbl_no], *ac = cinfo->ac_huff_tbl_ptrs[info->ac_tbl_no];
    if (shared == index && !prepare_tables(tables, component->scale, dc, ac)) return false;
    component->dc_codes = &tables->dc_codes;
    component->ac_codes = &tables->ac_codes;
    component->dc_table = tables->dc;
    component->skip_table = tables->ac.skips;
    component->value_table = tables->ac.values;
    return true;
}

static bool prepare(struct eighth *eighth, const struct jpeg_decompress_struct *cinfo) {
    for (int index = 0; index < cinfo->num_components; index++) {
        if (!prepare_component(eighth, index, cinfo)) return false;
    }
    struct scan *scan = &eighth->scan;
    scan->restart_interval = cinfo->restart_interval;
    scan->segments.next = cinfo->src->next_input_byte;
    scan->segments.end = cinfo->src->next_input_byte + cinfo->src->bytes_in_buffer;
    scan_start(scan);
    return true;
}

struct eighth *eighth_create(const struct jpeg_decompress_struct *cinfo) {
    if (!is_supported(cinfo)) return NULL;
    struct eighth *eighth = calloc(1, sizeof *eighth);
    if (eighth == NULL) return NULL;
    if (prepare_blocks(eighth, cinfo) && allocate_samples(eighth) && prepare(eighth, cinfo)) return eighth;
    eighth_destroy(eighth);
    return NULL;
}

#else

struct eighth *eighth_create(const struct jpeg_decompress_struct *cinfo) { return NULL; }

#endif

void eighth_destroy(struct eighth *eighth) {
    if (eighth == NULL) return;
    free(eighth->samples);
    free(eighth);
}

uint32_t eighth_row_count(const struct eighth *eighth) { return eighth->row_count; }

static uint8_t clamped(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

static void convert_gray(const uint8_t *gray, uint8_t *rgba, size_t width) {
    for (size_t x = 0; x < width; x++, rgba += 4) {
        rgba[0] = rgba[1] = rgba[2] = gray[x];
        rgba[3] = 255;
    }
}

/// Converts to RGB as libjpeg does: with factors in 65536ths (JFIF 1.02).
static inline void convert_color(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, uint32_t shift, uint8_t *rgba, size_t width) {
    enum { half = 1 << 15, bits = 16 };
    for (size_t x = 0; x < width; x++, rgba += 4) {
        int32_t y = luma[x], cb = blue[x >> shift] - 128, cr = red[x >> shift] - 128;
        rgba[0] = clamped(y + ((91881 * cr + half) >> bits));
        rgba[1] = clamped(y + ((-22554 * cb - 46802 * cr + half) >> bits));
        rgba[2] = clamped(y + ((116130 * cb + half) >> bits));
        rgba[3] = 255;
    }
}

static void convert_color_row(const struct eighth *eighth, uint8_t *rgba) {
    const struct component *components = eighth->scan.components;
    const uint8_t *luma = components[0].samples + eighth->mcu_row * components[0].stride;
    size_t chroma_row = eighth->mcu_row >> eighth->chroma_shift_y;
    const uint8_t *blue = components[1].samples + chroma_row * components[1].stride;
    const uint8_t *red = components[2].samples + chroma_row * components[2].stride;
    if (eighth->chroma_shift_x == 0) {
        convert_color(luma, blue, red, 0, rgba, eighth->width);
    } else {
        convert_color(luma, blue, red, eighth->chroma_shift_x, rgba, eighth->width);
    }
}

bool eighth_read_row(struct eighth *eighth, uint8_t *rgba) {
    if (eighth->row_count == eighth->height) return false;
    if (eighth->mcu_row == eighth->rows_per_mcu) {
        if (!scan_read_row(&eighth->scan)) return false;
        eighth->mcu_row = 0;
    }
    // The samples of an MCU cover at least the width of the image, and `mcu_row` is one of its rows.
    if (eighth->scan.component_count == 1) {
        const struct component *gray = &eighth->scan.components[0];
        convert_gray(gray->samples + eighth->mcu_row * gray->stride, rgba, eighth->width);
    } else {
        convert_color_row(eighth, rgba);
    }
    eighth->mcu_row++;
    eighth->row_count++;
    return true;
}
