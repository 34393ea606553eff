#include "scans.h"

#include <string.h>

enum { end_of_image = 0xD9, start_of_scan = 0xDA, ac_scan_length = 10 };

/// Returns the next marker other than those allowed inside entropy-coded data, or `end` if there is none.
static const uint8_t *next_marker(const uint8_t *at, const uint8_t *end) {
    while (end - at >= 2) {
        at = memchr(at, 0xFF, (size_t)(end - at - 1));
        if (at == NULL) return end;
        uint8_t code = at[1];
        bool is_data = code == 0 || (code >= 0xD0 && code <= 0xD7);
        if (!is_data && code != 0xFF) return at;
        at += is_data ? 2 : 1;
    }
    return end;
}

/// Returns the end of the segment at `marker`.
static const uint8_t *segment_end(const uint8_t *marker, const uint8_t *end) {
    if (end - marker < 4) return end;
    ptrdiff_t length = 2 + (marker[2] << 8 | marker[3]);
    return length < end - marker ? marker + length : end;
}

/// Whether a scan with unneeded coefficients of a single component starts at `marker` (ITU-T T.81, B.2.3).
static bool is_unneeded(const struct scans *scans, const uint8_t *marker) {
    if (marker[1] != start_of_scan || scans->end - marker < ac_scan_length) return false;
    bool has_one_component = segment_end(marker, scans->end) == marker + ac_scan_length && marker[4] == 1;
    return has_one_component && marker[7] > 0 && scans->is_unneeded[marker[5]];
}

size_t scans_next(struct scans *scans, const uint8_t **bytes) {
    const uint8_t *start = scans->next, *end = scans->end, *at = start;
    *bytes = start;
    while ((at = next_marker(at, end)) < end && at[1] != end_of_image) {
        const uint8_t *marker = at;
        at = segment_end(marker, end);
        if (!is_unneeded(scans, marker)) continue;
        scans->dropped_count++;
        scans->next = next_marker(at, end);
        if (marker > start) return (size_t)(marker - start);
        *bytes = start = at = scans->next;
    }
    scans->next = end;
    return (size_t)(end - start);
}

/// Returns the end of the bytes before the next marker, of which only the first byte may have arrived.
static const uint8_t *end_of_data(const uint8_t *at, const uint8_t *end) {
    const uint8_t *marker = next_marker(at, end);
    return marker == end && marker > at && marker[-1] == 0xFF ? marker - 1 : marker;
}

/// Whether the segment at `marker` is complete.
static bool is_complete(const uint8_t *marker, const uint8_t *end) {
    return end - marker >= 4 && end - marker >= 2 + (marker[2] << 8 | marker[3]);
}

size_t scans_next_while_growing(struct scans *scans, const uint8_t **bytes) {
    for (;;) {
        const uint8_t *start = scans->next, *end = scans->end, *marker = end_of_data(start, end);
        scans->has_ended |= marker == start && end - start >= 2 && start[1] == end_of_image;
        if (scans->has_ended) {
            scans->next = end;
        } else if (marker > start) {
            scans->next = marker;
            if (scans->is_dropping) continue;
        } else {
            if (!is_complete(start, end)) return 0;
            scans->next = segment_end(start, end);
            scans->is_dropping = is_unneeded(scans, start);
            scans->dropped_count += scans->is_dropping;
            if (scans->is_dropping) continue;
        }
        *bytes = start;
        return (size_t)(scans->next - start);
    }
}
