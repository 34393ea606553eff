import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server on 127.0.0.1 for the duration of a closure, which answers every command with any bytes, on one connection at a
/// time.
final class NonsenseServer: Sendable {
    /// Returns the answer to the bytes that have just arrived, and whether to close the connection then.
    typealias Answer = @Sendable (_ received: [UInt8]) -> (bytes: [UInt8], closes: Bool)

    /// The port.
    let port: UInt16
    private let listener: CInt
    private let answer: Answer
    private let connection = Mutex<CInt?>(nil)

    private init(_ answer: @escaping Answer) {
        self.answer = answer
        #if canImport(Glibc)
            listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = unsafe bind(listener, pointer, size)
                _ = listen(listener, 16)
                _ = unsafe getsockname(listener, pointer, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Runs `body` while the server listens.
    static func running(_ answer: @escaping Answer, _ body: (NonsenseServer) async throws -> Void) async throws {
        let server = NonsenseServer(answer)
        let thread = Thread { server.serve() }
        thread.start()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        // It ends the blocking calls of the thread, too.
        shutdown(server.listener, CInt(SHUT_RDWR))
        server.connection.withLock { connection in
            if let connection { shutdown(connection, CInt(SHUT_RDWR)) }
        }
        try result.get()
    }

    private func serve() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            connection.withLock { $0 = descriptor }
            talk(descriptor)
            connection.withLock { $0 = nil }
            close(descriptor)
        }
        close(listener)
    }

    private func talk(_ descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return }
            let (bytes, closes) = answer(Array(buffer.prefix(count)))
            let sent = unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard sent == bytes.count, !closes else { return }
        }
    }
}
