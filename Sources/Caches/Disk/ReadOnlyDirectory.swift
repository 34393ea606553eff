import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder of plain pictures, named as SDWebImage names them, that somebody else put there.
struct ReadOnlyDirectory: Sendable {
    let path: FilePath

    /// The picture of `key`, named with or without extension; `nil` when there is none that can be read.
    func entry(for key: CacheKey) -> DataEntry? {
        let fileName = key.fileName
        return [fileName, String(fileName.prefix { $0 != "." })].lazy.compactMap(entry(named:)).first
    }

    private func entry(named name: String) -> DataEntry? {
        guard let file = try? FileDescriptor(path.appending(name).text, for: .reading),
            let status = try? file.status(), status.isRegular, let data = try? file.read(status.byteCount)
        else { return nil }
        return DataEntry(data, metadata: .init(storedAt: Date(status.modificationTime)))
    }
}

extension Date {
    /// The moment of a file's time.
    fileprivate init(_ time: FileTime) { self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9) }
}
