#include "deep.h"

// Since 3.0, libjpeg-turbo has functions for 12 bits beside those for 8. Before, a library decoded only one of them.
#if defined(LIBJPEG_TURBO_VERSION_NUMBER) && LIBJPEG_TURBO_VERSION_NUMBER >= 3000000

enum { channel_count = 4, deep_maximum = 4095 };

bool cjpeg_decodes_12_bits(void) { return true; }

JDIMENSION deep_read_rows(struct CJPEGDecoder *decoder, JSAMPARRAY rows, JDIMENSION row_count) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    size_t value_count = (size_t)cinfo->output_width * channel_count;
    if (decoder->deep_row == NULL) {
        decoder->deep_row = cinfo->mem->alloc_large((j_common_ptr)cinfo, JPOOL_IMAGE, value_count * sizeof(J12SAMPLE));
    }
    J12SAMPROW values = decoder->deep_row;
    for (JDIMENSION row = 0; row < row_count; row++) {
        if (jpeg12_read_scanlines(cinfo, &values, 1) == 0) return row;
        for (size_t index = 0; index < value_count; index++) {
            rows[row][index] = (JSAMPLE)((values[index] * 255 + deep_maximum / 2) / deep_maximum);
        }
    }
    return row_count;
}

#else

bool cjpeg_decodes_12_bits(void) { return false; }

// The header has been rejected.
JDIMENSION deep_read_rows(struct CJPEGDecoder *decoder, JSAMPARRAY rows, JDIMENSION row_count) { return 0; }

#endif
