import Darkroom
import DarkroomIsolation
import InstalledCoders

/// The settings of the worker processes in which coders work.
struct IsolationSettings {
    /// The number of workers; 0 if coders work in the process of the server.
    let workerCount: Int
    /// The layers of protection without which the server does not start.
    let requires: WorkerPool.Protection
    /// How much the workers yield to the threads of the server.
    let niceness: Int

    /// Reads the settings.
    init(_ reader: inout SettingsReader) async throws {
        let defaults = WorkerPool.Configuration()
        #if os(Linux)
            let count = defaults.count
        #else
            let count = 0
        #endif
        workerCount = try await reader.int("isolation.workers", default: count, atLeast: 0, atMost: 1_000)
        let names = try await reader.list("isolation.requires", default: ["systemCalls", "limits"])
        requires = try names.reduce(into: []) { layers, name in
            guard let layer = WorkerPool.Protection(name: name) else {
                let known = WorkerPool.Protection.names.joined(separator: ", ")
                throw SettingsError("isolation.requires contains \(name), but must list some of \(known)")
            }
            layers.insert(layer)
        }
        niceness = try await reader.int("isolation.niceness", default: defaults.niceness, atLeast: 0, atMost: 19)
    }

    /// Returns the workers; `nil` if there are none.
    func makePool() throws -> WorkerPool? {
        guard workerCount > 0 else { return nil }
        return try WorkerPool {
            $0.count = workerCount
            $0.requires = requires
            $0.niceness = niceness
            $0.readableFolders = InstalledCoders.readableFolders
            $0.allowsThreads = true
        }
    }
}
