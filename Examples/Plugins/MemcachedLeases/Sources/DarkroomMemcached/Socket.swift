import DarkroomCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP connection. Its methods block, at most until a given time.
final class Socket: Sendable {
    private let descriptor: CInt

    /// Connects to `host`.
    init(host: String, port: UInt16, by end: ContinuousClock.Instant) throws(ImageError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Self.stream
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = unsafe found else {
            throw Self.error("the address of the host is unknown")
        }
        defer { unsafe freeaddrinfo(address) }
        descriptor = unsafe socket(address.pointee.ai_family, Self.stream, 0)
        guard descriptor >= 0 else { throw Self.error("there is no free socket") }
        do throws(ImageError) {
            guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw Self.error("a socket has no options") }
            var isOn: CInt = 1
            let size = socklen_t(MemoryLayout<CInt>.size)
            _ = unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
            let result = unsafe connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
            guard result == 0 || errno == EINPROGRESS else { throw Self.error("it refuses connections") }
            try wait(for: POLLOUT, by: end)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Sends all of `bytes`.
    func write(_ bytes: [UInt8], by end: ContinuousClock.Instant) throws(ImageError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT, by: end)
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe send(descriptor, buffer.baseAddress, buffer.count, Self.sendFlags)
            }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw Self.error("the connection was lost") }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Returns the bytes that arrive next, at least one.
    func receive(by end: ContinuousClock.Instant) throws(ImageError) -> [UInt8] {
        while true {
            try wait(for: POLLIN, by: end)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            if count > 0 { return Array(bytes.prefix(count)) }
            guard count < 0, errno == EAGAIN || errno == EINTR else { throw Self.error("the connection was lost") }
        }
    }

    private func wait(for event: CInt, by end: ContinuousClock.Instant) throws(ImageError) {
        while true {
            let left = (end - .now) / .milliseconds(1)
            guard left > 0 else { throw ImageError(.timedOut, .cache, "memcached has not answered in time") }
            var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = unsafe poll(&request, 1, CInt(min(left.rounded(.up), 60_000)))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw Self.error("the connection was lost") }
        }
    }

    private static func error(_ reason: String) -> ImageError {
        ImageError(.network, .cache, "memcached cannot be reached: \(reason)")
    }

    #if canImport(Glibc)
        private static let stream = CInt(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
        private static let sendFlags: CInt = 0
    #else
        /// A lost connection is an error instead of a signal.
        private static let sendFlags = CInt(MSG_NOSIGNAL)
    #endif
}
