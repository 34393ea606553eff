import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `darkroom cache`: inspects and maintains the disk cache.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Shows and tends the disk cache.",
        discussion: .help(
            "Without --cache it is the folder that XDG_CACHE_HOME or the home directory has for it.",
            examples: "darkroom cache stats", "darkroom cache ls --json --cache /var/cache/pictures",
            "darkroom cache purge https://example.com/photo.jpg"),
        subcommands: [
            Stats.self, List.self, Verify.self, Clear.self, Trim.self, Remove.self, CacheWarmCommand.self,
        ])

    /// Counts the entries.
    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts entries and the bytes of their pictures.",
            discussion: .help(examples: "darkroom cache stats --json"), aliases: ["stat"])
        @OptionGroup var options: CacheFolderOptions

        func run() async throws { options.printUsage(try await options.cache?.usage()) }
    }

    /// Verifies the entries.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads all entries, and removes damaged ones.",
            discussion: .help(examples: "darkroom cache verify --cache /var/cache/pictures"))
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let found = try await options.cache?.verify()
            let (intact, removed) = (found?.intactCount ?? 0, found?.removedCount ?? 0)
            options.print("\(intact) entries are whole, \(removed) were damaged and are removed") {
                JSONLine(["directory": $0, "intact": intact, "removed": removed])
            }
        }
    }

    /// Lists the files of all entries.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "Lists the files of all entries, those stored last at the end.",
            discussion: .help(
                """
                A file holds the picture as any viewer shows it. Its name is that of the cache key, which `darkroom key` \
                prints for a URL.
                """,
                examples: "darkroom cache ls", "darkroom cache ls --json"))
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            for entry in CacheListing(folder: CacheFolder.url(options.path)).entries {
                if options.json { entry.json.print() } else { FileDescriptor.standardOutput.print(entry.line) }
            }
        }
    }

    /// Removes all entries.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes all entries.",
            discussion: .help(examples: "darkroom cache clear --dry-run", "darkroom cache clear"))
        @OptionGroup var options: CacheFolderOptions

        @Flag(help: "Only say how much would be removed.")
        var dryRun = false

        func run() async throws {
            let cache = try options.cache
            if !dryRun { try await cache?.removeAll() }
            options.printUsage(try await cache?.usage())
        }
    }

    /// Removes expired entries and those beyond the limit.
    struct Trim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes what is too old, then what was not used for longest, down to half of the limit.",
            discussion: .help(examples: "darkroom cache gc"), aliases: ["gc"])
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let cache = try options.cache
            try await cache?.trim()
            options.printUsage(try await cache?.usage())
        }
    }

    /// Removes one image.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a picture and everything that was made of it.",
            discussion: .help(examples: "darkroom cache purge https://example.com/photo.jpg"), aliases: ["purge"])
        @Argument(help: ArgumentHelp("A URL or path.", valueName: "url"), completion: .pictures) var source: Source
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let cache = try options.cache
            if let key = try KeyCommand.key(of: source) { try await cache?.removeAll(ofSource: key.source) }
            options.printUsage(try await cache?.usage())
        }
    }
}
