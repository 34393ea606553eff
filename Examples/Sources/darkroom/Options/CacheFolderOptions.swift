import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which cache is meant, and how the answer looks.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        name: .customLong("cache"), help: ArgumentHelp("The folder of the cache.", valueName: "dir"),
        completion: .directory)
    var path: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    /// The cache; `nil` when there is none yet, for asking shall not make it.
    var cache: DiskDataCache? {
        get throws {
            let folder = CacheFolder.url(path)
            return OutputFolder.exists(folder.path) ? try DiskDataCache(directory: folder) : nil
        }
    }

    /// Tells how much there is.
    func printUsage(_ usage: DiskDataCache.Usage?) {
        let (count, byteCount) = (usage?.count ?? 0, usage?.byteCount ?? 0)
        print("\(count) entries, \(byteCount.asByteCount)") {
            JSONLine(["directory": $0, "entries": count, "bytes": byteCount])
        }
    }

    /// Prints the text, or the object that `json` makes with the folder's path.
    func print(_ text: String, json line: (String) -> JSONLine) {
        let folder = CacheFolder.url(path).path
        if json { line(folder).print() } else { FileDescriptor.standardOutput.print("\(folder): \(text)") }
    }
}
