#pragma once

#if !__has_include(<jxl/decode.h>)
#error "libjxl headers not found: apt-get install libjxl-dev"
#endif

#include <jxl/decode.h>
#include <jxl/encode.h>
