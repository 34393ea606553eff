import DarkroomTestKit
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A memcached on 127.0.0.1 for the duration of a closure.
final class MemcachedProcess: Sendable {
    /// Whether memcached can be started; otherwise its tests are skipped.
    static let isInstalled = program != nil && launcher != nil

    private static let program = find("memcached")
    /// Starts a program that is killed when this process dies.
    private static let launcher = find("setpriv")
    /// The thread that starts processes. It never ends: the end of the thread that started a process would kill it.
    private static let starter = Starter()

    /// The server exits immediately.
    private struct StartFailure: Error {}

    private let reservation: ReservedPort
    private let process = Mutex(Process())
    private let exit = Gate()

    private init() throws { reservation = try ReservedPort() }

    /// The port. No other server has it, even after this one was killed.
    var port: UInt16 { reservation.number }

    /// Runs `body` while a memcached listens.
    static func running(_ body: (MemcachedProcess) async throws -> Void) async throws {
        let memcached = try MemcachedProcess()
        try await memcached.start()
        do {
            try await body(memcached)
        } catch {
            await memcached.kill()
            throw error
        }
        await memcached.kill()
    }

    /// Makes the server silent, without closing its connections.
    func stop() { send(SIGSTOP) }

    /// Kills the server, and returns when it has exited.
    func kill() async {
        send(SIGKILL)
        await exit.wait()
    }

    private func start() async throws {
        let (process, listening, output) = (Process(), Gate(), Pipe())
        process.executableURL = URL(filePath: Self.launcher ?? "")
        process.arguments = [
            "--pdeathsig", "KILL", Self.program ?? "", "-l", "127.0.0.1", "-p", "\(port)", "-U", "0", "-m", "16", "-u",
            NSUserName(), "-vv",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        process.terminationHandler = { [exit] _ in
            exit.open()
            listening.open()
        }
        try await Self.starter.start(process)
        Thread.detachNewThread {
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                if bytes.range(of: Data("server listening".utf8)) != nil { listening.open() }
            }
        }
        self.process.withLock { $0 = process }
        await listening.wait()
        guard process.isRunning else { throw StartFailure() }
    }

    private func send(_ signal: CInt) {
        let identifier = process.withLock { $0.isRunning ? $0.processIdentifier : 0 }
        if identifier > 0 { _ = Glibc.kill(identifier, signal) }
    }

    private static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// A thread that starts processes.
private final class Starter: Sendable {
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    init() {
        let thread = Thread { [self] in
            while true {
                semaphore.wait()
                jobs.withLock { $0.removeFirst() }()
            }
        }
        thread.start()
    }

    func start(_ process: Process) async throws {
        try await withCheckedThrowingContinuation { continuation in
            jobs.withLock { $0.append { continuation.resume(with: Result { try process.run() }) } }
            semaphore.signal()
        }
    }
}
