#pragma once

#if !__has_include(<libdeflate.h>)
#error "libdeflate headers not found: apt-get install libdeflate-dev"
#endif

#include <libdeflate.h>
