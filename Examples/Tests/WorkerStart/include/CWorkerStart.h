#pragma once

// Makes the program of the tests a worker, if a pool has started it as one. There is nothing to call.
