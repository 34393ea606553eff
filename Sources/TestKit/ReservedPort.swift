import DarkroomPlatform

/// A port of 127.0.0.1 for a server that a test starts as a process of its own.
///
/// While this object exists, Linux gives the port to no socket that asks for any free port, so the server may be killed and
/// started again. It must set `SO_REUSEADDR`, as most servers do: it may then be bound beside another socket with that option
/// that does not listen (socket(7)).
public final class ReservedPort: Sendable {
    /// The port.
    public let number: UInt16
    private let descriptor: CInt

    /// Reserves a free port.
    ///
    /// - Throws: `POSIXError` if there is no port or no descriptor left.
    public init() throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw lastError }
        var (isOn, address) = (CInt(1), sockaddr_in())
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size)) == 0
                    && bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        if !isBound { throw lastError }
    }

    deinit { close(descriptor) }
}

/// The error of the system call that failed last.
private var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE) }
