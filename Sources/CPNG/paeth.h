#pragma once

#include <stdint.h>
#include <stdlib.h>

// Returns the neighbour nearest to left + above - corner.
static inline uint8_t paeth(int left, int above, int corner) {
    int by_left = abs(above - corner), by_above = abs(left - corner), by_corner = abs(left + above - 2 * corner);
    if (by_left <= by_above && by_left <= by_corner) return left;
    return by_above <= by_corner ? above : corner;
}
