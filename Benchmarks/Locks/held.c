// Records for how long threads hold each lock, for the Mutex of `held`, and prints that when the program ends. Loaded by
// LD_PRELOAD.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// More than the places in any program; further ones are counted together in the last one. Times are counted in buckets,
// four for each power of two.
enum { place_count = 1024, bucket_count = 160 };

static struct place {
    // The address of the name of a file, with a line in the upper 16 bits, which are 0 in addresses.
    uint64_t key;
    uint64_t nanoseconds, longest;
    uint32_t buckets[bucket_count];
} places[place_count];

static struct place *place_of(uint64_t key) {
    for (size_t step = 0, index = key % (place_count - 1); step < place_count - 1; step++) {
        uint64_t found = 0;
        // Either the place is free, and gets the key, or `found` is the key that it has.
        if (__atomic_compare_exchange_n(&places[index].key, &found, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
            || found == key) return &places[index];
        index = (index + 1) % (place_count - 1);
    }
    return &places[place_count - 1];
}

static size_t bucket(uint64_t nanoseconds) {
    if (nanoseconds < 4) return (size_t)nanoseconds;
    size_t power = 63 - (size_t)__builtin_clzll(nanoseconds);
    size_t index = 4 * power + (nanoseconds >> (power - 2) & 3);
    return index < bucket_count ? index : bucket_count - 1;
}

void darkroom_lock_held(const char *file, uint64_t line, uint64_t nanoseconds) {
    struct place *place = place_of((uint64_t)(uintptr_t)file | line << 48);
    __atomic_fetch_add(&place->buckets[bucket(nanoseconds)], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&place->nanoseconds, nanoseconds, __ATOMIC_RELAXED);
    uint64_t longest = __atomic_load_n(&place->longest, __ATOMIC_RELAXED);
    while (longest < nanoseconds
           && !__atomic_compare_exchange_n(&place->longest, &longest, nanoseconds, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

// Lines of: file, line, nanoseconds in total, the longest time, and the count of each bucket.
__attribute__((destructor)) static void report(void) {
    const char *path = getenv("HELD_LOCKS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (size_t index = 0; index < place_count; index++) {
        struct place *place = &places[index];
        if (!place->key) continue;
        const char *name = (const char *)(uintptr_t)(place->key << 16 >> 16);
        fprintf(file, "%s %lu %lu %lu", name, place->key >> 48, place->nanoseconds, place->longest);
        for (size_t each = 0; each < bucket_count; each++) fprintf(file, " %u", place->buckets[each]);
        fprintf(file, "\n");
    }
    fclose(file);
}
