import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options that select a cache folder and an output form.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        name: .customLong("cache"), help: ArgumentHelp("The cache folder.", valueName: "dir"),
        completion: .directory)
    var path: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    /// The cache; `nil` if its folder has none.
    var cache: DiskDataCache? {
        get throws { try CacheFolder(path).existingCache }
    }

    /// Prints the number and the size of the entries, and in JSON the number of those `removed`, if any could be.
    func printUsage(_ usage: DiskDataCache.Usage?, removed: Int? = nil) {
        let (count, byteCount) = (usage?.count ?? 0, usage?.byteCount ?? 0)
        print("\(count) entries, \(byteCount.asByteCount)") {
            guard let removed else { return JSONLine(["directory": $0, "entries": count, "bytes": byteCount]) }
            return JSONLine(["directory": $0, "entries": count, "bytes": byteCount, "removed": removed])
        }
    }

    /// Prints the text, or the object that `json` creates with the folder's path.
    func print(_ text: String, json line: (String) -> JSONLine) {
        let folder = CacheFolder(path).url.path
        if json { line(folder).print() } else { FileDescriptor.standardOutput.print("\(folder): \(text)") }
    }
}
