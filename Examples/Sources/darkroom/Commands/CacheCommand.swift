import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `darkroom cache`: what lies in the disk cache.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Shows and tends the disk cache.",
        subcommands: [Stats.self, Verify.self, Clear.self, Trim.self, Remove.self])

    /// Counts entries.
    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Counts entries and the bytes of their pictures.")
        @OptionGroup var options: CacheFolderOptions

        func run() async throws { options.printUsage(try await options.cache?.usage()) }
    }

    /// Checks entries.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Reads all entries, and removes damaged ones.")
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let found = try await options.cache?.verify()
            let (intact, removed) = (found?.intactCount ?? 0, found?.removedCount ?? 0)
            options.print("\(intact) entries are whole, \(removed) were damaged and are removed") {
                JSONLine(["directory": $0, "intact": intact, "removed": removed])
            }
        }
    }

    /// Removes everything.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all entries.")
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let cache = try options.cache
            try await cache?.removeAll()
            options.printUsage(try await cache?.usage())
        }
    }

    /// Removes what is old, and what is too much.
    struct Trim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes what is too old, then what was not used for longest, down to half of the limit.")
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let cache = try options.cache
            try await cache?.trim()
            options.printUsage(try await cache?.usage())
        }
    }

    /// Removes one picture.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a picture and everything that was made of it.")
        @Argument(help: ArgumentHelp("A URL or path.", valueName: "url")) var source: Source
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let cache = try options.cache
            if let key = try KeyCommand.key(of: source) { try await cache?.removeAll(ofSource: key.source) }
            options.printUsage(try await cache?.usage())
        }
    }
}

/// Which cache is meant, and how the answer looks.
struct CacheFolderOptions: ParsableArguments {
    @Option(name: .customLong("cache"), help: ArgumentHelp("The folder of the cache.", valueName: "dir"))
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
