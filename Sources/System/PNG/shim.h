#pragma once

#if !__has_include(<png.h>)
#error "libpng headers not found: apt-get install libpng-dev"
#endif

#include <png.h>
