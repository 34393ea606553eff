#if Valkey
    import DarkroomPlatform
    import DarkroomTestKit
    import Foundation
    import Synchronization

    @testable import DarkroomValkey

    /// A real server of Redis or Valkey on 127.0.0.1, without persistence, for the duration of a closure.
    final class RedisServer: Sendable {
        /// Whether the servers can be started; otherwise their tests are skipped.
        static let isInstalled = program != nil && launcher != nil

        /// Whether the server was built with TLS.
        static let supportsTLS: Bool = {
            guard let program, let bytes = try? Data(contentsOf: URL(filePath: program)) else { return false }
            return bytes.range(of: Data("libssl".utf8)) != nil
        }()

        private static let program = find("valkey-server") ?? find("redis-server")
        /// Starts a program that is killed when this process dies.
        private static let launcher = find("setpriv")

        /// The server exits immediately.
        private struct StartFailure: Error {}

        private struct State {
            var process: Process?
            var exit = Gate()
        }

        private let reservation: ReservedPort
        private let arguments: [String]
        private let state = Mutex(State())

        private init(arguments: [String]) throws {
            reservation = try ReservedPort()
            self.arguments = arguments
        }

        /// The port of the server. No other server has it, even after this one was killed.
        var port: Int { Int(reservation.number) }

        /// Runs `body` while a server with these options listens. `arguments` may contain `{port}`; then the server has no
        /// other port.
        @discardableResult
        static func running<Result: Sendable>(
            _ arguments: String..., body: (RedisServer) async throws -> Result
        ) async throws -> Result {
            let server = try RedisServer(arguments: arguments)
            try await server.start()
            do {
                let result = try await body(server)
                await server.kill()
                return result
            } catch {
                await server.kill()
                throw error
            }
        }

        /// The configuration of a client without a password.
        var configuration: ValkeyConfiguration { ValkeyConfiguration(ValkeyAddress(host: "127.0.0.1", port: port)) }

        /// Starts the server, and returns when it listens.
        func start() async throws {
            let (process, output, exit, ready) = (Process(), Pipe(), Gate(), Gate())
            process.executableURL = URL(filePath: Self.launcher ?? "")
            let listening = arguments.contains("--tls-port") ? [] : ["--port", "\(port)"]
            process.arguments =
                ["--pdeathsig", "KILL", Self.program ?? "", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
                + listening + arguments.map { $0.replacing("{port}", with: "\(port)") }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.terminationHandler = { _ in
                exit.open()
                ready.open()
            }
            try await ProcessLauncher.shared.start(process)
            Thread.detachNewThread {
                while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                    if bytes.range(of: Data("eady to accept connections".utf8)) != nil { ready.open() }
                }
            }
            state.withLock { $0 = State(process: process, exit: exit) }
            await ready.wait()
            guard process.isRunning else { throw StartFailure() }
        }

        /// Makes the server silent, without closing its connections.
        func stop() { signal(SIGSTOP) }

        /// Ends the effect of ``stop()``.
        func resume() { signal(SIGCONT) }

        /// Kills the server, and returns when it has exited.
        func kill() async {
            signal(SIGKILL)
            await state.withLock(\.exit).wait()
            breakCycle()
        }

        /// Until this call, a process and the source of its run loop reference each other.
        private func breakCycle() { state.withLock(\.process)?.waitUntilExit() }

        private func signal(_ number: CInt) {
            guard let process = state.withLock(\.process), process.isRunning else { return }
            _ = Glibc.kill(process.processIdentifier, number)
        }

        private static func find(_ name: String) -> String? {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    /// Starts processes on a thread that never ends: the end of the thread that has started a process would kill it.
    private final class ProcessLauncher: Sendable {
        static let shared = ProcessLauncher()

        private let jobs = Mutex<[@Sendable () -> Void]>([])
        private let semaphore = DispatchSemaphore(value: 0)

        private init() {
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
#endif
