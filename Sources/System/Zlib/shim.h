#pragma once

#if !__has_include(<zlib.h>)
#error "zlib headers not found: apt-get install zlib1g-dev"
#endif

#include <zlib.h>
