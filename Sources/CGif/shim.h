#pragma once

#if !__has_include(<gif_lib.h>)
#error "giflib headers not found: apt-get install libgif-dev"
#endif

#include <gif_lib.h>
