#pragma once

#include <stddef.h>
#include <stdint.h>

// Minimal decoding loops over each library with the settings of Darkroom's coders: the reference for its decoders.
// `bytes` must be a complete file that Darkroom can decode. Each returns RGBA8 pixels in a new buffer that the caller
// frees, or NULL if the library fails.

uint8_t *reference_decode_png(const uint8_t *bytes, size_t count);
uint8_t *reference_decode_jpeg(const uint8_t *bytes, size_t count);
// Decodes the first frame, which must cover the screen.
uint8_t *reference_decode_gif(const uint8_t *bytes, size_t count);
uint8_t *reference_decode_webp(const uint8_t *bytes, size_t count);

// Returns the size of RGBA8 pixels encoded by libpng with its default settings, or 0 if it fails.
size_t reference_encode_png(const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha);

// Receives the RGBA8 canvas after each frame.
typedef void (*reference_show)(void *context, const uint8_t *canvas);

// Plays an animation whose frames lie within the canvas. Returns the number of frames, or -1 if the library fails.
int reference_play_gif(const uint8_t *bytes, size_t count, reference_show show, void *context);
int reference_play_webp(const uint8_t *bytes, size_t count, reference_show show, void *context);

// A dictionary under a mutex that tracks the order of use: the reference for the memory cache. It never evicts.
typedef struct reference_cache reference_cache;
reference_cache *reference_cache_make(size_t count);
// Each key may be stored once.
void reference_cache_store(reference_cache *cache, const char *key, size_t length, const void *value);
const void *reference_cache_look(reference_cache *cache, const char *key, size_t length);
