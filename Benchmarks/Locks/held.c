// Records for how long threads hold each lock, for the Mutex of `held`, and prints that when the program ends. Loaded by
// LD_PRELOAD.
#include <stdio.h>
#include <stdlib.h>

#include "places.h"

// Times are counted in buckets, four for each power of two.
enum { bucket_count = 160 };

// The key of a place is the address of the name of a file, with a line in the upper 16 bits, which are 0 in addresses.
static struct place {
    uint64_t nanoseconds, longest;
    uint32_t buckets[bucket_count];
} places[place_count];

static size_t bucket(uint64_t nanoseconds) {
    if (nanoseconds < 4) return (size_t)nanoseconds;
    size_t power = 63 - (size_t)__builtin_clzll(nanoseconds);
    size_t index = 4 * power + (nanoseconds >> (power - 2) & 3);
    return index < bucket_count ? index : bucket_count - 1;
}

void darkroom_lock_held(const char *file, uint64_t line, uint64_t nanoseconds) {
    struct place *place = &places[place_of((uint64_t)(uintptr_t)file | line << 48)];
    __atomic_fetch_add(&place->buckets[bucket(nanoseconds)], 1, __ATOMIC_RELAXED);
    count_time(nanoseconds, &place->nanoseconds, &place->longest);
}

// Lines of: file, line, nanoseconds in total, the longest time, and the count of each bucket.
__attribute__((destructor)) static void report(void) {
    const char *path = getenv("HELD_LOCKS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (size_t index = 0; index < place_count; index++) {
        struct place *place = &places[index];
        if (!keys[index]) continue;
        const char *name = (const char *)(uintptr_t)(keys[index] << 16 >> 16);
        fprintf(file, "%s %lu %lu %lu", name, keys[index] >> 48, place->nanoseconds, place->longest);
        for (size_t each = 0; each < bucket_count; each++) fprintf(file, " %u", place->buckets[each]);
        fprintf(file, "\n");
    }
    fclose(file);
}
