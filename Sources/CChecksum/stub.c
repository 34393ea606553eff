#include "CChecksum.h"
