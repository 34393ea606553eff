import NIOCore
import NIOPosix
import ServerPlatform

/// The service manager that started the program, such as systemd.
enum ServiceManager {
    /// Sends `state` to the socket at `path`, as sd_notify(3) does; does nothing without one.
    ///
    /// - Parameter state: `READY=1` or `STOPPING=1`.
    static func notify(
        _ state: String, at path: String? = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"]
    ) async throws {
        guard let path else { return }
        let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: path).get()
        try await channel.writeAndFlush(ByteBuffer(string: state))
        try await channel.close()
    }
}
