#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Does what `act` names, as a decoder does that an input has taken over. Returns what a system call returned, for those acts
/// that the process survives.
int hostile_do(const char *act, const void *input, size_t count);

/// Whether the program was built with a sanitizer.
bool hostile_is_address_sanitized(void);
bool hostile_is_thread_sanitized(void);

/// Returns by how much this process yields to others.
int hostile_niceness(void);

/// Starts this program as the parent of workers, and returns its identifier once it has `count` of them, whose identifiers
/// are written to `workers`; -1 if it gets none.
int hostile_start_parent(const char *path, int *workers, int count);

/// Kills the process `parent`. Returns how many of `workers` end then.
int hostile_kill_parent(int parent, const int *workers, int count);

/// Returns the number of open descriptors of this process.
int hostile_descriptor_count(void);

/// Returns the number of child processes of this process that have ended, and were not waited for.
int hostile_zombie_count(void);
