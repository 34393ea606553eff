#pragma once

#include "reduced_blocks.h"
#include "reduced_segments.h"

enum { max_component_count = 3, max_blocks_per_mcu = 6 };

/// The entropy-coded data of a baseline file with a single scan.
struct scan {
    struct component components[max_component_count];
    int component_count;
    uint32_t mcus_per_row, row_count, next_row;
    /// The number of MCUs between two restart markers, or 0, and how many are left before the next one.
    uint32_t restart_interval, mcus_left;
    /// The number of the next restart marker.
    uint8_t next_restart;
    struct bits bits;
    struct segments segments;
};

/// Starts a scan whose other fields have been set.
void scan_start(struct scan *scan);

/// Decodes a row of MCUs. Returns false if it is irregular, if it is the last one and the image does not end there, or
/// after the last one. Then it must not be called again.
bool scan_read_row(struct scan *scan);
