// Prints, when the program ends, for how long its threads have waited for each Mutex, by the function that locks it.
//
// Loaded by LD_PRELOAD before libswiftSynchronization, whose fast paths are compiled into the code that uses it (Swift
// 6.3, Linux). They call the function replaced here only if another thread holds the lock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, __attribute__((swift_context)) void *handle);

Lock lockSlowly __asm__(LOCK);

// More than the callers in any program; further ones are counted together in the last place.
enum { place_count = 1024 };

static struct place {
    uintptr_t caller;
    uint64_t count, nanoseconds, longest;
} places[place_count];

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct place *place_of(uintptr_t caller) {
    for (size_t step = 0, index = (caller >> 2) % (place_count - 1); step < place_count - 1; step++) {
        uintptr_t found = 0;
        // Either the place is free, and becomes that of the caller, or `found` is whose it is.
        if (__atomic_compare_exchange_n(&places[index].caller, &found, caller, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
            || found == caller) return &places[index];
        index = (index + 1) % (place_count - 1);
    }
    return &places[place_count - 1];
}

__attribute__((swiftcall)) void lockSlowly(uint32_t thread, __attribute__((swift_context)) void *handle) {
    static Lock *next;
    if (!next) next = (Lock *)dlsym(RTLD_NEXT, LOCK);
    uint64_t start = now();
    next(thread, handle);
    uint64_t waited = now() - start;
    struct place *place = place_of((uintptr_t)__builtin_return_address(0));
    __atomic_fetch_add(&place->count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&place->nanoseconds, waited, __ATOMIC_RELAXED);
    uint64_t longest = __atomic_load_n(&place->longest, __ATOMIC_RELAXED);
    while (longest < waited
           && !__atomic_compare_exchange_n(&place->longest, &longest, waited, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

// Lines of: count, nanoseconds, the longest wait, the address of the caller in its file, and that file.
__attribute__((destructor)) static void report(void) {
    const char *path = getenv("CONTENDED_LOCKS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (size_t index = 0; index < place_count; index++) {
        if (places[index].count == 0) continue;
        Dl_info info = {0};
        struct place place = places[index];
        if (!place.caller || !dladdr((void *)place.caller, &info)) info = (Dl_info){.dli_fname = "?"};
        fprintf(file, "%lu %lu %lu %lu %s\n", place.count, place.nanoseconds, place.longest,
                place.caller - (uintptr_t)info.dli_fbase, info.dli_fname);
    }
    fclose(file);
}
