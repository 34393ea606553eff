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
    /// Of a growing file: whether a needless scan was begun, and whether the end of the picture was seen.
    bool is_dropping, is_over;
};

/// Hands out the next bytes and answers how many they are; 0 at the end.
size_t scans_next(struct scans *scans, const uint8_t **bytes);

/// The same while `end` still moves: hands out what is certain to be needed, and 0 when more bytes must decide.
size_t scans_next_while_growing(struct scans *scans, const uint8_t **bytes);
