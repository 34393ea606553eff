import Darkroom
import ServerPlatform
import Synchronization

/// The names of the samples, for the gallery.
///
/// The folder is listed for one request at a time, on a thread of its own: its disk may not answer. The others get the last
/// list meanwhile, if there is one.
final class SampleList: Sendable {
    private struct State {
        var names: [String]?
        var isListing = false
    }

    private let folder: URL?
    private let list: @Sendable (_ path: String) throws -> [String]
    private let executor = WorkExecutor(name: "samples", width: 1)
    private let state = Mutex(State())

    /// Creates a list of the files in `folder`, whose names `list` returns. Without a folder, it is empty.
    init(
        of folder: URL?,
        listedBy list: @escaping @Sendable (_ path: String) throws -> [String] = {
            try FileManager.default.contentsOfDirectory(atPath: $0)
        }
    ) {
        (self.folder, self.list) = (folder, list)
    }

    /// Returns the names of all files that are named like an image.
    func names() async -> [String] {
        guard let path = folder?.path, begin() else { return state.withLock(\.names) ?? [] }
        let names = try? await executor.run { [list] in try list(path) }
        return end(with: (names ?? []).filter(Self.isNameOfImage).sorted())
    }

    /// Returns whether the folder is to be listed: unless that is being done, and there is a list meanwhile.
    private func begin() -> Bool {
        state.withLock { state in
            defer { state.isListing = true }
            return !state.isListing || state.names == nil
        }
    }

    private func end(with names: [String]) -> [String] {
        state.withLock { $0 = State(names: names) }
        return names
    }

    private static func isNameOfImage(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return ImageFormat(name: name.utf8[dot...].dropFirst(), among: ImageFormat.offered) != nil
    }
}
