// Counters by place in the code, which several threads find without a lock.
#include <stddef.h>
#include <stdint.h>

// More than the places in any program; further ones are counted together in the last one.
enum { place_count = 1024 };

// The keys of the places; 0 for a free one.
static uint64_t keys[place_count];

// Returns the number of the place with `key`, which is not 0.
static size_t place_of(uint64_t key) {
    for (size_t step = 0, index = key % (place_count - 1); step < place_count - 1; step++) {
        uint64_t found = 0;
        // Either the place is free, and gets the key, or `found` is the key that it has.
        if (__atomic_compare_exchange_n(&keys[index], &found, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
            || found == key) return index;
        index = (index + 1) % (place_count - 1);
    }
    return place_count - 1;
}

// Adds a time to `sum`, and makes it the longest one if it is.
static void count_time(uint64_t nanoseconds, uint64_t *sum, uint64_t *longest) {
    __atomic_fetch_add(sum, nanoseconds, __ATOMIC_RELAXED);
    uint64_t seen = __atomic_load_n(longest, __ATOMIC_RELAXED);
    while (seen < nanoseconds
           && !__atomic_compare_exchange_n(longest, &seen, nanoseconds, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}
