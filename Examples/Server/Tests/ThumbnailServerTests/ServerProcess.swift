import DarkroomTestKit
import Foundation
import NIOCore
import Testing

/// The built `thumbnail-server` in a process of its own, on the loopback address.
struct ServerProcess {
    /// The response to a request.
    struct Answer {
        let status: Int
        /// The header fields, one a line.
        let head: String
        let body: Data

        /// Whether the server refuses the request for now, and says when to try again.
        var isRefusal: Bool { [429, 503].contains(status) && head.lowercased().contains("\r\nretry-after: ") }
    }

    /// The lines that it has written at its start, until it listens.
    let lines: [String]
    private let port: Int
    private let id: Int32

    /// Runs `body` with a server that has these settings besides those that all have, and has a folder of its own as its
    /// disk cache. A shell runs `commands` before, such as `ulimit`. Once the server listens, its log is read only if
    /// `readsLog`.
    static func run(
        _ settings: [String], after commands: String = ":", readsLog: Bool = true,
        _ body: (ServerProcess) async throws -> Void
    ) async throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let process = Process()
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "thumbnail-server")
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "\(commands) && exec \"$0\" \"$@\"", program.path, "--http-port", "0"]
            + ["--signature-insecure", "true", "--cache-directory", folder.url.path] + settings
        // Variables of the tests would be unknown settings.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DARKROOM") }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        let output = Pipe()
        process.standardError = output
        try process.run()
        var result = Result<Void, any Error>.success(())
        do {
            let lines = try await Self.start(of: output.fileHandleForReading, readsOn: readsLog)
            let port = try #require(lines.lazy.compactMap(Self.port).last)
            try await body(ServerProcess(lines: lines, port: port, id: process.processIdentifier))
        } catch {
            result = .failure(error)
        }
        process.terminate()
        for await () in ends {}
        try result.get()
    }

    /// Returns the lines of `output` until the server listens. Later ones are read and dropped, if it `readsOn`.
    private static func start(of output: FileHandle, readsOn: Bool) async throws -> [String] {
        let (portions, portion) = AsyncStream.makeStream(of: Data.self)
        Thread.detachNewThread {
            while case let data = output.availableData, !data.isEmpty {
                if case .terminated = portion.yield(data), !readsOn { return }
            }
            portion.finish()
        }
        var text = ""
        for await portion in portions {
            text += String(decoding: portion, as: UTF8.self)
            let lines = text.split(separator: "\n").map(String.init)
            if text.hasSuffix("\n"), lines.contains(where: { port(in: $0) != nil }) { return lines }
        }
        throw ServerEnd(text: text)
    }

    /// Returns the port in the line which says that the server listens.
    private static func port(in line: String) -> Int? {
        let address = line.split(separator: " ").first { $0.hasPrefix("address=") }
        return line.hasSuffix(" listening") ? address?.split(separator: ":").last.flatMap { Int($0) } : nil
    }

    /// The server has ended before it listened.
    struct ServerEnd: Error { let text: String }

    /// Sends a request over a connection of its own, and again if the server has closed that before it was sent: a
    /// connection without a request makes room for others.
    func get(_ path: String) async throws -> Answer {
        while true {
            let bytes: [UInt8]
            do {
                let request = "GET \(path) HTTP/1.1\r\nHost: a\r\nAccept: image/jpeg\r\nConnection: close\r\n\r\n"
                bytes = try await RawClient.bytes(answering: request, port: port)
            } catch let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode) {
                continue
            } catch ChannelError.ioOnClosedChannel {
                continue
            }
            if bytes.isEmpty { continue }
            let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
            let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            return Answer(
                status: try #require(Int(head.split(separator: " ")[1])), head: head,
                body: Data(bytes[end.upperBound...]))
        }
    }

    /// The number of files that it may have open.
    var openFileLimit: Int? {
        let limits = try? String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
        let line = limits?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
    }

    /// The processes: the server, and its workers.
    var processes: [Int32] {
        get throws {
            let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
            return [id] + numbers.filter { Self.field("PPid", of: $0) == Int(id) }
        }
    }

    /// The memory of all processes but for that of their programs, in bytes. What the server and a worker share is
    /// counted once.
    var byteCount: Int {
        get throws {
            let all = try processes
            let anonymous = all.reduce(0) { $0 + (Self.field("RssAnon", of: $1) ?? 0) }
            let shared = all.map { Self.field("RssShmem", of: $0) ?? 0 }
            return (anonymous + max(shared[0], shared.dropFirst().reduce(0, +))) << 10
        }
    }

    /// The most memory that each of the processes has had, in bytes, in the same sense. They need not have had it at the same
    /// time.
    var peakByteCount: Int {
        get throws {
            let peaks = try processes.map { (Self.field("VmHWM", of: $0) ?? 0) - (Self.field("RssFile", of: $0) ?? 0) }
            return (peaks.reduce(0, +) - (Self.field("RssShmem", of: id) ?? 0)) << 10
        }
    }

    /// Returns the number after `name` in the status of a process.
    private static func field(_ name: String, of process: Int32) -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
}
