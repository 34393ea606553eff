import Darkroom
import DarkroomIsolation
import InstalledCoders

/// The coders of the processes that decode and encode for the command line.
struct IsolatedCoders: ImagePlugin {
    /// Installs all coders, which include those that a command does not use.
    func install(in components: inout ImageManager.Components) {
        components.install(StandardPlugins())
        components.install(InstalledCoders(readsHEIC: true))
    }

    /// Starts the processes.
    static func makePool(count: Int? = nil) throws -> WorkerPool {
        try WorkerPool {
            $0.count = count ?? $0.count
            $0.allowsThreads = true
            $0.readableFolders = InstalledCoders.readableFolders
        }
    }
}
