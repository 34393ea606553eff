#include "CReference.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    struct entry *same_bucket, *newer, *older;
    uint64_t hash;
    size_t length;
    const void *value;
    const char *key;
} entry;

struct reference_cache {
    pthread_mutex_t lock;
    // The sentinel of the list: precedes the newest and follows the oldest entry.
    entry ends;
    size_t mask;
    entry *buckets[];
};

// Mixes eight bytes per step.
static uint64_t hash_of(const char *key, size_t length) {
    uint64_t hash = length;
    for (; length >= 8; key += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, key, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    uint64_t word = 0;
    memcpy(&word, key, length);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

static void unlink_entry(entry *e) {
    e->newer->older = e->older;
    e->older->newer = e->newer;
}

static void link_newest(reference_cache *cache, entry *e) {
    e->newer = &cache->ends;
    e->older = cache->ends.older;
    e->older->newer = e;
    cache->ends.older = e;
}

reference_cache *reference_cache_make(size_t count) {
    size_t size = 1;
    while (size < count * 2) size *= 2;
    reference_cache *cache = calloc(1, sizeof *cache + size * sizeof(entry *));
    if (!cache) abort();
    pthread_mutex_init(&cache->lock, NULL);
    cache->ends.newer = cache->ends.older = &cache->ends;
    cache->mask = size - 1;
    return cache;
}

void reference_cache_store(reference_cache *cache, const char *key, size_t length, const void *value) {
    entry *e = malloc(sizeof *e + length);
    if (!e) abort();
    e->key = memcpy(e + 1, key, length);
    e->hash = hash_of(key, length);
    e->length = length;
    e->value = value;
    pthread_mutex_lock(&cache->lock);
    entry **bucket = &cache->buckets[e->hash & cache->mask];
    e->same_bucket = *bucket;
    *bucket = e;
    link_newest(cache, e);
    pthread_mutex_unlock(&cache->lock);
}

const void *reference_cache_look(reference_cache *cache, const char *key, size_t length) {
    uint64_t hash = hash_of(key, length);
    pthread_mutex_lock(&cache->lock);
    entry *e = cache->buckets[hash & cache->mask];
    while (e && (e->hash != hash || e->length != length || memcmp(e->key, key, length) != 0)) e = e->same_bucket;
    if (e) {
        unlink_entry(e);
        link_newest(cache, e);
    }
    const void *value = e ? e->value : NULL;
    pthread_mutex_unlock(&cache->lock);
    return value;
}
