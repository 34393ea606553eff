#if S3
    import DarkroomCore
    import DarkroomS3
    import Foundation

    /// A kind of object store that `Scripts/start-object-store` can start.
    struct Engine: Sendable {
        /// The engine that `DARKROOM_OBJECT_STORE` names: SeaweedFS by default.
        static let chosen = Engine(name: environment["DARKROOM_OBJECT_STORE"] ?? "seaweedfs")

        /// The name, as `Scripts/install-engines` knows it.
        let name: String

        /// Whether the engine is installed. One with an unknown name counts as such, so that its tests fail.
        var isInstalled: Bool {
            let commands = ["seaweedfs": "weed", "ceph": "radosgw", "swift": "swift-proxy-server", "rclone": "rclone"]
            guard let command = commands[name] else { return true }
            let home = Self.environment["HOME"] ?? ""
            let engines = Self.environment["DARKROOM_ENGINES"] ?? "\(home)/.cache/darkroom-engines"
            let path = (Self.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            return (["\(engines)/bin", "/usr/sbin"] + path).contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(command)")
            }
        }

        /// Whether requests must be signed for the region of the engine.
        var requiresItsRegion: Bool { name == "swift" }

        fileprivate static let environment = ProcessInfo.processInfo.environment
    }

    extension S3Credentials {
        /// The credentials of engines. The keys of Swift have a colon.
        static let engine = S3Credentials(accessKeyID: "darkroom:tests", secretAccessKey: "secretsecretsecret")
    }

    /// The chosen engine, which runs as long as this process.
    struct RunningEngine: Sendable {
        /// The only instance. It is started by the first test that needs it.
        static let shared = Task { try await WorkExecutor(name: "engine", width: 1).run { try start() } }

        /// The URL of its endpoint.
        let url: URL

        /// The identifier of the process that responds.
        let processID: pid_t

        /// The end of the pipe whose closing ends the engine.
        private let input: Pipe

        private static func start() throws -> RunningEngine {
            let process = Process()
            let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
            process.executableURL = root.appending(path: "Scripts/start-object-store")
            process.arguments = [Engine.chosen.name]
            var environment = Engine.environment
            environment["AWS_ACCESS_KEY_ID"] = S3Credentials.engine.accessKeyID
            environment["AWS_SECRET_ACCESS_KEY"] = S3Credentials.engine.secretAccessKey
            process.environment = environment
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 2, let url = URL(string: String(words[0])), let processID = pid_t(words[1]) else {
                throw ImageError(.internal, .load, "the object store \(Engine.chosen.name) could not be started")
            }
            return RunningEngine(url: url, processID: processID, input: input)
        }

        /// Runs `body` while the engine accepts connections, but does not respond.
        func hanging(_ body: @Sendable () async throws -> Void) async throws {
            let store = S3ObjectStore(endpoint: url, bucket: "darkroom", credentials: S3Credentials.engine)
            kill(processID, SIGSTOP)
            defer { kill(processID, SIGCONT) }
            // Its threads do not stop at once.
            while (try? await store.contains("ready", deadline: .milliseconds(100))) != nil {}
            try await body()
        }
    }
#endif
