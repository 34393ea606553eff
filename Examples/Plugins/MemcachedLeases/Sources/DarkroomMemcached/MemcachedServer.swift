import DarkroomCore
import Dispatch
import Synchronization

/// The commands that leases need, on one connection, one after the other.
///
/// They run on a queue of their own, because sockets block. After a failure, the connection is closed, so that no reply
/// is taken for that of another command.
final class MemcachedServer: Sendable {
    /// A value, and the number that memcached changes with each write.
    struct Value: Sendable {
        let text: String
        let version: UInt64
    }

    /// The connection. Only the queue uses it.
    private struct State {
        var socket: Socket?
        /// The time before which a server that has failed is not asked again.
        var pauseEnd = ContinuousClock.now
    }

    private static let pause = Duration.milliseconds(500)

    private let host: String
    private let port: UInt16
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "darkroom.memcached")

    init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Returns the value of `key`; `nil` if there is none.
    ///
    /// A key may come from the cache, and must not contain commands.
    func value(of key: String, by end: ContinuousClock.Instant) async throws(ImageError) -> Value? {
        guard key.isKey else { throw MemcachedReply.invalid }
        let reply = try await reply(to: "mg \(key) v c\r\n", by: end)
        switch reply.code {
        case "VA":
            guard let version = reply.number("c") else { throw MemcachedReply.invalid }
            return Value(text: String(decoding: reply.data, as: UTF8.self), version: version)
        case "EN": return nil
        default: throw MemcachedReply.invalid
        }
    }

    /// Stores `value`, unless `key` has one. Returns whether it was stored.
    func add(
        _ value: String, as key: String, life: Duration, by end: ContinuousClock.Instant
    ) async throws(ImageError) -> Bool {
        try await store(value, as: key, flags: "T\(seconds(life)) ME", by: end)
    }

    /// Stores `value` for `life`.
    func set(
        _ value: String, as key: String, life: Duration, by end: ContinuousClock.Instant
    ) async throws(ImageError) {
        _ = try await store(value, as: key, flags: "T\(seconds(life))", by: end)
    }

    /// Stores `new` if the value is still `value`. Returns whether it was.
    func replace(
        _ value: Value, with new: String, as key: String, life: Duration, by end: ContinuousClock.Instant
    ) async throws(ImageError) -> Bool {
        try await store(new, as: key, flags: "T\(seconds(life)) C\(value.version)", by: end)
    }

    /// Removes the value of `key` if it is `text`. Returns whether it was.
    @discardableResult
    func remove(_ key: String, of text: String, by end: ContinuousClock.Instant) async throws(ImageError) -> Bool {
        guard let value = try await value(of: key, by: end), value.text == text else { return false }
        return try await reply(to: "md \(key) C\(value.version)\r\n", by: end).code == "HD"
    }

    private func store(
        _ value: String, as key: String, flags: String, by end: ContinuousClock.Instant
    ) async throws(ImageError) -> Bool {
        let reply = try await reply(to: "ms \(key) \(value.utf8.count) \(flags)\r\n\(value)\r\n", by: end)
        switch reply.code {
        case "HD": return true
        case "NS", "EX", "NF": return false
        default: throw MemcachedReply.invalid
        }
    }

    /// Returns the life in seconds for memcached, whose seconds are those of its clock: the first one may be short.
    private func seconds(_ life: Duration) -> Int64 { life.components.seconds + 1 }

    private func reply(to command: String, by end: ContinuousClock.Instant) async throws(ImageError) -> MemcachedReply {
        let result: Result<MemcachedReply, ImageError> = await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: run(Array(command.utf8), by: end)) }
        }
        return try result.get()
    }

    private func run(_ command: [UInt8], by end: ContinuousClock.Instant) -> Result<MemcachedReply, ImageError> {
        do throws(ImageError) {
            return .success(try exchange(command, by: end))
        } catch {
            return .failure(error)
        }
    }

    private func exchange(_ command: [UInt8], by end: ContinuousClock.Instant) throws(ImageError) -> MemcachedReply {
        let (open, pauseEnd) = state.withLock { ($0.socket.take(), $0.pauseEnd) }
        guard pauseEnd <= .now, end > .now else {
            state.withLock { $0.socket = open }
            throw ImageError(.network, .cache, "memcached at \(host):\(port) has not answered in time")
        }
        do throws(ImageError) {
            let socket = if let open { open } else { try Socket(host: host, port: port, by: end) }
            try socket.write(command, by: end)
            let reply = try MemcachedReply(from: socket, by: end)
            state.withLock { $0.socket = socket }
            return reply
        } catch {
            state.withLock { $0.pauseEnd = .now + Self.pause }
            throw error
        }
    }
}

extension String {
    /// Whether memcached accepts this as a key.
    fileprivate var isKey: Bool { (1...250).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
