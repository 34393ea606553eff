#include "arithmetic.h"

enum { end_of_image = 0xD9, start_of_scan = 0xDA };

void arithmetic_start(struct arithmetic *arithmetic, size_t pixel_count) {
    // White below noise, for which encoders leave out most, takes 4 zeros in a tiny image, 9 at 30,000 pixels, 17 at 800,000,
    // and 20 at 9 million. Data that are cut take about as many as are missing.
    enum { minimum = 8, pixels_per_zero = 1 << 12 };
    size_t count = minimum + pixel_count / pixels_per_zero;
    *arithmetic = (struct arithmetic){
        .is_used = true,
        .is_in_data = true,
        .zero_count = count < arithmetic_zero_count ? count : arithmetic_zero_count,
    };
}

static bool is_restart(int code) { return code >= 0xD0 && code <= 0xD7; }

/// Returns the end of the data at `at`, before fill bytes and a marker, or before the end of the bytes.
static const uint8_t *end_of_data(const uint8_t *at, const uint8_t *end) {
    const uint8_t *start = at;
    while (at < end && !(at[0] == 0xFF && end - at >= 2 && at[1] != 0 && at[1] != 0xFF)) at++;
    while (at > start && at[-1] == 0xFF) at--;
    return at;
}

/// Skips fill bytes before a marker, and an incomplete marker at the end.
static void skip_fill_bytes(struct arithmetic *arithmetic) {
    while (arithmetic->next < arithmetic->end && *arithmetic->next == 0xFF) {
        if (arithmetic->end - arithmetic->next >= 2 && arithmetic->next[1] != 0xFF) return;
        arithmetic->next++;
    }
}

/// Returns the end of the segment at a marker, or of bytes between segments.
static const uint8_t *end_of_segment(const uint8_t *at, const uint8_t *end) {
    if (end - at < 2 || at[0] != 0xFF || at[1] == 0) return end_of_data(at + 1, end);
    if (is_restart(at[1]) || at[1] == 0x01 || at[1] == end_of_image) return at + 2;
    if (end - at < 4) return end;
    ptrdiff_t length = 2 + (at[2] << 8 | at[3]);
    return length < end - at ? at + length : end;
}

/// Whether the segment at `at`, which ends at `segment_end`, is a start of a scan before the data of that. One that an end
/// marker has cut is not.
static bool starts_data(const uint8_t *at, const uint8_t *segment_end, const uint8_t *end) {
    if (segment_end - at < 2 || at[0] != 0xFF) return false;
    if (is_restart(at[1])) return true;
    bool has_end_marker = end - at >= 2 && end[-2] == 0xFF && end[-1] == end_of_image;
    if (at[1] != start_of_scan || segment_end - at < 4) return false;
    return 2 + (at[2] << 8 | at[3]) <= end - at - (has_end_marker ? 2 : 0);
}

size_t arithmetic_next(struct arithmetic *arithmetic, struct scans *scans, const uint8_t **bytes) {
    static const uint8_t zeros[arithmetic_zero_count];
    if (arithmetic->next == arithmetic->end) {
        size_t count = scans_next(scans, &arithmetic->next);
        arithmetic->end = arithmetic->next + count;
    }
    arithmetic->is_after_data = false;
    *bytes = arithmetic->next;
    if (arithmetic->is_in_data) {
        arithmetic->next = end_of_data(*bytes, arithmetic->end);
        if (arithmetic->next > *bytes) return (size_t)(arithmetic->next - *bytes);
        arithmetic->is_in_data = false;
        arithmetic->is_after_data = true;
        *bytes = zeros;
        return arithmetic->zero_count;
    }
    skip_fill_bytes(arithmetic);
    *bytes = arithmetic->next;
    if (*bytes == arithmetic->end) return 0;
    arithmetic->next = end_of_segment(*bytes, arithmetic->end);
    arithmetic->is_in_data = starts_data(*bytes, arithmetic->next, arithmetic->end);
    return (size_t)(arithmetic->next - *bytes);
}

int arithmetic_marker(const struct arithmetic *arithmetic, const struct scans *scans) {
    const uint8_t *at = arithmetic->next, *end = arithmetic->end;
    if (at == end) {
        at = scans->next;
        end = scans->end;
    }
    while (end - at >= 2 && at[0] == 0xFF && at[1] == 0xFF) at++;
    return end - at >= 2 && at[0] == 0xFF ? at[1] : end_of_image;
}
