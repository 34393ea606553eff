#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifdef __linux__

/// The layers that protect the system from a worker process.
enum {
    darkroom_layer_no_new_privileges = 1,
    darkroom_layer_system_calls = 2,
    darkroom_layer_files = 4,
    darkroom_layer_limits = 8,
};

/// The restrictions of a worker process.
typedef struct {
    /// The bytes of address space beyond those that are mapped when the restrictions begin.
    uint64_t address_space;
    /// Whether threads may be started. Other processes never may.
    bool allows_threads;
    /// Folders whose files may be read, if the kernel can confine reading to them.
    const char *const *readable_folders;
    size_t readable_folder_count;
} darkroom_restrictions;

/// Restricts this process for ever. Returns the layers in effect.
int darkroom_restrict(const darkroom_restrictions *restrictions);

/// Returns the version of Landlock that the kernel has; 0 for none.
int darkroom_landlock_version(void);

/// Starts the program at `path` with `socket` as descriptor 3 and nothing else of this process: not its environment, its other
/// descriptors or its terminal. Returns 0 or an error number. `*pidfd` becomes a descriptor of the process, or -1.
int darkroom_spawn_worker(const char *path, const char *variable, int socket, pid_t *pid, int *pidfd);

/// Makes a pair of connected sockets for packets. The first waits for each packet for up to `milliseconds`. Returns 0 or an error
/// number.
int darkroom_make_channel(int sockets[2], int milliseconds);

/// Sends one packet with up to two descriptors, each -1 for none. Returns 0 or an error number; the receiver being gone
/// raises no signal. It never waits: the error is `EAGAIN` if too many packets have not been received yet.
int darkroom_send(int socket, const void *bytes, size_t count, int first, int second);

/// Whether a packet has arrived and was not received yet.
bool darkroom_has_packet(int socket);

/// Receives one packet and up to two descriptors, which are -1 if there are none. Returns its size, 0 at the end of the
/// channel, or a negative error number.
ssize_t darkroom_receive(int socket, void *bytes, size_t capacity, int *first, int *second);

/// Receives one packet, and never descriptors. Returns its size, 0 at the end of the channel, or a negative error number, which
/// is `-ETIMEDOUT` if none arrived in the time of the channel.
ssize_t darkroom_receive_bytes(int socket, void *bytes, size_t capacity);

/// Makes memory of `size` bytes, which can never shrink or grow. Returns its descriptor, or a negative error number.
int darkroom_make_memory(size_t size);

/// Forbids new writable mappings of a memory for ever; those that exist can still be written. Returns 0 or an error number.
int darkroom_forbid_new_writers(int memory);

/// Writes `count` bytes to `memory`, and then forbids all writing for ever. Returns 0 or an error number.
int darkroom_fill_memory(int memory, const void *bytes, size_t count);

/// Maps `size` bytes of `memory`, shared. Returns `NULL` if that is not possible.
void *darkroom_map_memory(int memory, size_t size, bool is_writable);

/// Kills a process with its descriptor, or by its identifier if that is -1.
void darkroom_kill_worker(int pidfd, pid_t pid);

/// Waits for the end of the child process `pid`. Returns its wait status, or a negative error number.
int darkroom_wait_for_worker(pid_t pid);

/// Waits like `darkroom_wait_for_worker`, but at most some 100 ms. Returns `-EAGAIN` if the process has not ended.
int darkroom_wait_shortly_for_worker(int pidfd, pid_t pid);

/// Returns the processor time that `clock` has counted, which is that of a process, in nanoseconds; -1 if that is unknown.
int64_t darkroom_processor_time(clockid_t clock);

/// Returns the processor time that this thread has used, in nanoseconds.
int64_t darkroom_thread_time(void);

/// Returns the state of a process as in `/proc`, such as 'R' or 'S'; 0 if that is unknown.
char darkroom_process_state(pid_t pid);

/// Returns the bytes of memory in which a process holds what is its own; 0 if that is unknown.
uint64_t darkroom_private_byte_count(pid_t pid);

/// Lets the kernel end a child process once it has used `seconds` of processor time, even if nobody watches it any more.
void darkroom_limit_processor_time(pid_t pid, uint64_t seconds);

/// Closes all descriptors from `first`.
void darkroom_close_from(int first);

/// Keeps other processes of the user from attaching to this one, and makes it the first to be ended when memory is short.
void darkroom_become_expendable(void);

/// Makes this process yield to others, by as much as for the command `nice`.
void darkroom_become_nicer(int niceness);

/// Returns the number of threads of this process; 0 if it is unknown.
int darkroom_thread_count(void);

/// Whether this build reserves terabytes of address space, or runs threads of its own, to find errors.
bool darkroom_is_address_sanitized(void);
bool darkroom_is_thread_sanitized(void);

static inline uint8_t darkroom_load_byte(const void *address) { return *(const volatile uint8_t *)address; }
static inline void darkroom_store_byte(void *address, uint8_t value) { *(volatile uint8_t *)address = value; }

#endif
