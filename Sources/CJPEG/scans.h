#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The scans of a progressive file, without those that do not affect a small image.
///
/// At an eighth of the size a component consists of its DC coefficients alone, so scans of its AC coefficients can be
/// dropped without changing a pixel. libjpeg would decode them all, which takes most of its time.
struct scans {
    /// The bytes not handed out yet.
    const uint8_t *next, *end;
    /// Whether the AC coefficients of a component are unneeded, by component identifier.
    bool is_unneeded[256];
    int dropped_count;
    /// For a growing file: whether a scan is currently being dropped, and whether the end of the image was seen.
    bool is_dropping, has_ended;
};

/// Hands out the next bytes and returns their number; 0 at the end.
size_t scans_next(struct scans *scans, const uint8_t **bytes);

/// Like `scans_next`, but while `end` still moves: hands out bytes that are certain to be needed, and returns 0 when
/// more bytes must arrive first.
size_t scans_next_while_growing(struct scans *scans, const uint8_t **bytes);
