// libjpeg allocates coefficients by malloc for each image. For a photograph, that is new memory each time, whose pages the
// system clears before libjpeg does: a twentieth of the time of decoding a progressive one. The caller can reuse memory.
#include "coefficients.h"
#include "decoder.h"

#include <jerror.h>
#include <string.h>

/// An array of blocks, of the type that libjpeg leaves to its memory manager.
struct jvirt_barray_control {
    JBLOCKARRAY rows;
    JDIMENSION row_count, cleared_row_count;
    size_t row_byte_count;
};

static jvirt_barray_ptr request_array(
    j_common_ptr cinfo, int pool_id, boolean is_cleared, JDIMENSION blocks_per_row, JDIMENSION row_count,
    JDIMENSION max_access
) {
    struct coefficients *memory = &((struct CJPEGDecoder *)cinfo->client_data)->coefficients;
    size_t row_byte_count = blocks_per_row * sizeof(JBLOCK);
    // The caller was told how many bytes the header requires.
    if (row_byte_count * row_count > memory->byte_count) ERREXIT(cinfo, JERR_BAD_VIRTUAL_ACCESS);
    jvirt_barray_ptr array = cinfo->mem->alloc_small(cinfo, pool_id, sizeof *array);
    *array = (struct jvirt_barray_control){
        .rows = cinfo->mem->alloc_large(cinfo, pool_id, row_count * sizeof *array->rows),
        .row_count = row_count,
        .row_byte_count = row_byte_count,
    };
    for (JDIMENSION row = 0; row < row_count; row++) {
        array->rows[row] = (JBLOCKROW)(void *)(memory->start + row * row_byte_count);
    }
    memory->start += row_byte_count * row_count;
    memory->byte_count -= row_byte_count * row_count;
    return array;
}

/// Returns rows that are cleared before their first use, because a file may lack some coefficients.
static JBLOCKARRAY access_array(
    j_common_ptr cinfo, jvirt_barray_ptr array, JDIMENSION start, JDIMENSION count, boolean is_writable
) {
    if (start > array->row_count || count > array->row_count - start) ERREXIT(cinfo, JERR_BAD_VIRTUAL_ACCESS);
    for (; array->cleared_row_count < start + count; array->cleared_row_count++) {
        memset(array->rows[array->cleared_row_count], 0, array->row_byte_count);
    }
    return array->rows + start;
}

void coefficients_prepare(const struct coefficients *coefficients, struct jpeg_decompress_struct *cinfo) {
    if (coefficients->start == NULL) return;
    cinfo->mem->request_virt_barray = request_array;
    cinfo->mem->access_virt_barray = access_array;
}
