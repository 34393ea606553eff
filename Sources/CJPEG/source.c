#include "decoder.h"

#include <stdlib.h>
#include <string.h>

enum { first_capacity = 1 << 14 };

static void init_source(j_decompress_ptr cinfo) {}

/// Hands out the next bytes and returns their number; 0 at the end.
static size_t next_part(struct CJPEGDecoder *decoder, const uint8_t **bytes) {
    struct arithmetic *arithmetic = &decoder->arithmetic;
    if (!arithmetic->is_used) return scans_next(&decoder->scans, bytes);
    // A part may be short, and libjpeg may pass many of them without a block.
    decoder_check(decoder);
    const struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (cinfo->input_iMCU_row >= cinfo->total_iMCU_rows) arithmetic->is_in_data = false;
    // The decoder, which does not stop there, may have read all zeros.
    if (arithmetic->is_after_data) decoder_lack_data(decoder, arithmetic_marker(arithmetic, &decoder->scans));
    return arithmetic_next(arithmetic, &decoder->scans, bytes);
}

static boolean fill_input_buffer(j_decompress_ptr cinfo) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    struct CJPEGDecoder *decoder = cinfo->client_data;
    if (decoder->is_growing) return FALSE;
    cinfo->src->bytes_in_buffer = next_part(decoder, &cinfo->src->next_input_byte);
    if (cinfo->src->bytes_in_buffer > 0) return TRUE;
    // The Huffman decoder warns when bits are missing (see emit_message); the arithmetic decoder continues silently.
    if (!decoder->is_started || (cinfo->arith_code && !decoder_has_whole_scan(cinfo))) {
        errors_leave(&decoder->errors, CJPEGStatusIncomplete);
    }
    decoder->is_exhausted = true;
    cinfo->src->next_input_byte = end;
    cinfo->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
    struct CJPEGDecoder *decoder = cinfo->client_data;
    if (count <= 0) return;
    size_t available = cinfo->src->bytes_in_buffer, skipped = (size_t)count < available ? (size_t)count : available;
    // The second byte of an end marker whose first one a cut segment has taken.
    const uint8_t *rest = cinfo->src->next_input_byte + skipped;
    bool has_rest = !decoder->is_growing && skipped > 0 && available - skipped == 1;
    if (has_rest && rest[-1] == 0xFF && rest[0] == JPEG_EOI) skipped++;
    cinfo->src->next_input_byte += skipped;
    cinfo->src->bytes_in_buffer -= skipped;
    // libjpeg does not allow suspension here.
    if (decoder->is_growing) decoder->skip_count += (size_t)count - skipped;
}

/// Continues after a missing restart marker, unless the image has ended.
static boolean resync_to_restart(j_decompress_ptr cinfo, int number) {
    struct CJPEGDecoder *decoder = cinfo->client_data;
    if (!jpeg_resync_to_restart(cinfo, number)) return FALSE;
    if (decoder_has_ended_early(decoder, cinfo->unread_marker)) errors_leave(&decoder->errors, CJPEGStatusIncomplete);
    decoder->is_cut |= cinfo->unread_marker == JPEG_EOI;
    return TRUE;
}

static void term_source(j_decompress_ptr cinfo) {}

void source_prepare(struct CJPEGDecoder *decoder) {
    decoder->source = (struct jpeg_source_mgr){
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = resync_to_restart,
        .term_source = term_source,
    };
    decoder->cinfo.src = &decoder->source;
}

/// Makes room for `count` bytes in the buffer.
static bool reserve(struct CJPEGDecoder *decoder, size_t count) {
    if (count <= decoder->filtered.capacity) return true;
    size_t capacity = decoder->filtered.capacity > 0 ? decoder->filtered.capacity : first_capacity;
    while (capacity < count) capacity *= 2;
    uint8_t *bytes = realloc(decoder->filtered.bytes, capacity);
    if (bytes == NULL) return false;
    decoder->filtered.bytes = bytes;
    decoder->filtered.capacity = capacity;
    return true;
}

/// Appends the needed ones of `count` new bytes to the bytes that libjpeg has not read.
static bool append_needed(struct CJPEGDecoder *decoder, const uint8_t *bytes, size_t count) {
    struct jpeg_source_mgr *source = &decoder->source;
    size_t unread_count = source->bytes_in_buffer, part_count;
    const uint8_t *part;
    if (unread_count > 0) memmove(decoder->filtered.bytes, source->next_input_byte, unread_count);
    decoder->scans.next = bytes;
    decoder->scans.end = bytes + count;
    while ((part_count = scans_next_while_growing(&decoder->scans, &part)) > 0) {
        size_t skipped = part_count < decoder->skip_count ? part_count : decoder->skip_count;
        decoder->skip_count -= skipped;
        if (!reserve(decoder, unread_count + part_count - skipped)) return false;
        memcpy(decoder->filtered.bytes + unread_count, part + skipped, part_count - skipped);
        unread_count += part_count - skipped;
    }
    decoder->filtered.passed_count += (size_t)(decoder->scans.next - bytes);
    source->next_input_byte = decoder->filtered.bytes;
    source->bytes_in_buffer = unread_count;
    return true;
}

CJPEGStatus cjpeg_decoder_lend(CJPEGDecoder *decoder, const uint8_t *bytes, size_t count) {
    struct jpeg_source_mgr *source = &decoder->source;
    if (decoder->filtered.is_used) {
        size_t passed_count = decoder->filtered.passed_count;
        return append_needed(decoder, bytes + passed_count, count - passed_count) ? CJPEGStatusDone : CJPEGStatusNoMemory;
    }
    size_t position = decoder->lent_count - source->bytes_in_buffer + decoder->skip_count;
    decoder->skip_count = position > count ? position - count : 0;
    if (position > count) position = count;
    source->next_input_byte = bytes + position;
    source->bytes_in_buffer = count - position;
    decoder->lent_count = count;
    decoder->lent = bytes;
    return CJPEGStatusDone;
}

// No encoder writes fill bytes before a stuffed zero. One of libjpeg-turbo's two Huffman decoders skips them, but
// leaves coefficients behind that the other does not. Which one runs depends on how many bytes are available.
bool source_has_read_ambiguous_data(struct CJPEGDecoder *decoder) {
    if (!decoder->is_growing || decoder->cinfo.progressive_mode || !decoder->is_started) return false;
    // libjpeg then reads from another buffer. Only progressive files are filtered.
    if (decoder->filtered.is_used) return false;
    const uint8_t *at = decoder->lent + decoder->known_count, *end = decoder->source.next_input_byte;
    while (at < end && (at = memchr(at, 0xFF, (size_t)(end - at))) != NULL) {
        const uint8_t *run = at;
        while (at < end && *at == 0xFF) at++;
        if (at < end && *at == 0 && at - run > 1) return true;
    }
    decoder->known_count = (size_t)(end - decoder->lent);
    return false;
}

void source_destroy(struct CJPEGDecoder *decoder) { free(decoder->filtered.bytes); }

size_t cjpeg_decoder_unread_byte_count(const CJPEGDecoder *decoder) { return decoder->source.bytes_in_buffer; }

bool decoder_needs_only_dc(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size == 1 && component->DCT_v_scaled_size == 1;
#else
    return component->DCT_scaled_size == 1;
#endif
}

void source_drop_unneeded_scans(struct CJPEGDecoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    jpeg_calc_output_dimensions(cinfo);
    bool is_needed[256] = {false}, is_all_needed = true;
    for (int index = 0; index < cinfo->num_components; index++) {
        const jpeg_component_info *component = &cinfo->comp_info[index];
        // A broken file may use an identifier twice.
        is_needed[component->component_id & 255] |= !decoder_needs_only_dc(component);
        is_all_needed &= !decoder_needs_only_dc(component);
    }
    decoder->drops_scans = cinfo->progressive_mode && !is_all_needed;
    if (decoder->is_growing && is_all_needed) return;
    for (int index = 0; index < 256; index++) decoder->scans.is_unneeded[index] = !is_needed[index];
    const uint8_t *bytes = cinfo->src->next_input_byte;
    size_t count = cinfo->src->bytes_in_buffer;
    cinfo->src->bytes_in_buffer = 0;
    if (decoder->is_growing) {
        decoder->filtered.is_used = true;
        decoder->filtered.passed_count = decoder->lent_count - count;
        if (!append_needed(decoder, bytes, count)) errors_leave(&decoder->errors, CJPEGStatusNoMemory);
    } else {
        decoder->scans.next = bytes;
        decoder->scans.end = bytes + count;
        if (cinfo->arith_code) arithmetic_start(&decoder->arithmetic, (size_t)cinfo->image_width * cinfo->image_height);
    }
}
