import Glibc
import Synchronization

private typealias Record = @convention(c) (UnsafePointer<UInt8>, UInt64, UInt64) -> Void

// The function has this type in held.c, and dlsym returns an untyped pointer.
private let record = dlsym(nil, "darkroom_lock_held").map { unsafeBitCast($0, to: Record.self) }

/// A `Mutex` that reports for how long it is held. `held` adds it to each module of a copy of the package, in which it
/// stands for that of the standard library.
struct Mutex<Value: ~Copyable>: ~Copyable {
    private let base: Synchronization.Mutex<Value>

    init(_ value: consuming sending Value) { base = Synchronization.Mutex(value) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try base.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
            let start = Self.now
            defer { record?(file.utf8Start, UInt64(line), Self.now - start) }
            return try body(&value)
        }
    }

    borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try base.withLockIfAvailable(body)
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

// All access to the value goes through the Mutex of the standard library, which is unconditionally Sendable as well.
extension Mutex: @unchecked Sendable where Value: ~Copyable {}
