import DarkroomFiles

#if canImport(Glibc)
    import Glibc

    @testable import DarkroomCaches

    /// Mounts that the rest of the system does not see, and that end with their last user.
    enum PrivateMount {
        /// Whether the process may mount folders in a namespace of one of its threads.
        static let isPermitted = onThread { begin() ? 1 : 0 } == 1

        /// Gives the calling thread a namespace of mounts. Returns whether that is permitted.
        static func begin() -> Bool {
            // `unshare` and `CLONE_NEWNS` are not imported into Swift.
            guard let function = unsafe dlsym(nil, "unshare") else { return false }
            // `dlsym` returns an untyped pointer; this is the type of `unshare` in <sched.h>.
            let unshare = unsafe unsafeBitCast(function, to: (@convention(c) (Int32) -> Int32).self)
            guard unshare(0x0002_0000) == 0 else { return false }
            return unsafe mount(nil, "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0
        }

        /// Returns the result of `body`, which runs on a thread of its own.
        fileprivate static func onThread(_ body: @escaping () -> Int) -> Int {
            var thread = pthread_t()
            // The thread gets a plain pointer, so the job is retained until it has been joined.
            let job = unsafe Unmanaged.passRetained(ThreadJob(body))
            defer { unsafe job.release() }
            let error = unsafe pthread_create(
                &thread, nil,
                { context in
                    guard let context = unsafe context else { return nil }
                    // It is the job above, which is retained until this thread has ended.
                    unsafe Unmanaged<ThreadJob>.fromOpaque(context).takeUnretainedValue().run()
                    return nil
                }, job.toOpaque())
            guard error == 0 else { return -1 }
            pthread_join(thread, nil)
            return unsafe job.takeUnretainedValue().result
        }
    }

    /// A function that a thread runs, and its result.
    private final class ThreadJob {
        private let body: () -> Int
        private(set) var result = -1

        init(_ body: @escaping () -> Int) { self.body = body }

        func run() { result = body() }
    }

    /// A file system in memory of limited size, which only this object makes accessible.
    final class SmallDisk {
        /// The path of its root folder.
        var path: String { "/proc/self/fd/\(number)" }

        private let number: Int32

        /// Mounts a file system of `byteCount` bytes at the empty folder `path`, where only another thread sees it.
        init(byteCount: Int, at path: String) throws(SystemError) {
            let result = PrivateMount.onThread {
                guard PrivateMount.begin() else { return -Int(errno) }
                let isMounted = unsafe "size=\(byteCount)".withCString { options in
                    unsafe mount("tmpfs", path, "tmpfs", 0, options) == 0
                }
                guard isMounted else { return -Int(errno) }
                let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                return number < 0 ? -Int(errno) : Int(number)
            }
            guard result > 0 else { throw SystemError(code: Int32(-result)) }
            number = Int32(result)
        }

        deinit { close(number) }

        /// Writes to the file `name` until the disk is full.
        func fill(_ name: String) throws {
            let file = try FileDescriptor(FilePath(text: path).appending(name), for: .updating)
            var (offset, byteCount) = (try file.status().byteCount, 1 << 16)
            while byteCount > 0 {
                let bytes = [UInt8](repeating: 1, count: byteCount)
                do {
                    unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: offset) }
                    offset += byteCount
                } catch let error as SystemError where error.isDiskFull {
                    offset = try file.status().byteCount
                    byteCount /= 16
                }
            }
        }
    }
#endif
