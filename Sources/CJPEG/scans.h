#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The scans of a progressive file, without those that add nothing to a small picture.
///
/// At an eighth of the size a component is made of its DC coefficients alone, so scans of its AC coefficients can be
/// left out: no pixel changes. libjpeg would decode them all, which takes most of its time.
struct scans {
    /// What was not handed out yet.
    const uint8_t *next, *end;
    /// By the identifier of a component: whether its AC coefficients are needless.
    bool is_needless[256];
    int dropped_count;
};

/// Hands out the next bytes and answers how many they are; 0 at the end.
size_t scans_next(struct scans *scans, const uint8_t **bytes);
