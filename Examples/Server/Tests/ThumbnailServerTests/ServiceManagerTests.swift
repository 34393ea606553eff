import Foundation
import Testing

@testable import ThumbnailServerProgram

struct ServiceManagerTests {
    @Test(.bounded) func serviceManagerReceivesTheState() async throws {
        let path = URL.temporaryDirectory.appending(path: "notify-\(UUID().uuidString.prefix(8))").path
        let manager = NotificationSocket(path)
        try await ServiceManager.notify("READY=1", at: path)
        #expect(manager.received == "READY=1")
        try FileManager.default.removeItem(atPath: path)
        await #expect(throws: (any Error).self) { try await ServiceManager.notify("STOPPING=1", at: path) }
    }

    @Test func withoutAServiceManagerNothingIsSent() async throws {
        try await ServiceManager.notify("READY=1", at: nil)
    }
}

/// The socket of a service manager. SwiftNIO receives nothing from senders without an address.
private final class NotificationSocket: Sendable {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init(_ path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { [descriptor] in
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        #expect(result == 0)
    }

    deinit { close(descriptor) }

    /// The state that was sent last, which has arrived by the time that sending it ends.
    var received: String {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }
}
