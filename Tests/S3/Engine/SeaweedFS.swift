#if S3
    import DarkroomCore
    import DarkroomS3
    import Foundation

    /// A real object store, which runs as long as this process.
    struct SeaweedFS: Sendable {
        /// The only instance. It is started by the first test that needs it.
        static let shared = Task { try await WorkExecutor(name: "engine", width: 1).run { try start() } }

        /// Whether the engine is installed. `Scripts/install-engines` does that.
        static let isInstalled: Bool = {
            let environment = ProcessInfo.processInfo.environment
            let engines = environment["DARKROOM_ENGINES"] ?? "\(environment["HOME"] ?? "")/.cache/darkroom-engines"
            let folders = ["\(engines)/bin"] + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/weed") }
        }()

        /// The URL of its endpoint.
        let url: URL

        /// The identifier of its process.
        let processID: pid_t

        /// The end of the pipe whose closing ends the engine.
        private let input: Pipe

        private static func start() throws -> SeaweedFS {
            let process = Process()
            let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
            process.executableURL = root.appending(path: "Scripts/start-object-store")
            var environment = ProcessInfo.processInfo.environment
            environment["AWS_ACCESS_KEY_ID"] = "AKDARKROOM"
            environment["AWS_SECRET_ACCESS_KEY"] = "secretsecretsecret"
            process.environment = environment
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 2, let url = URL(string: String(words[0])), let processID = pid_t(words[1]) else {
                throw ImageError(.internal, .load, "the object store could not be started")
            }
            return SeaweedFS(url: url, processID: processID, input: input)
        }

        /// Runs `body` while the engine accepts connections, but does not respond.
        func hanging(_ body: @Sendable () async throws -> Void) async throws {
            let store = S3ObjectStore(endpoint: url, bucket: "darkroom", credentials: S3Credentials.test)
            kill(processID, SIGSTOP)
            defer { kill(processID, SIGCONT) }
            // Its threads do not stop at once.
            while (try? await store.contains("ready", deadline: .milliseconds(100))) != nil {}
            try await body()
        }
    }
#endif
