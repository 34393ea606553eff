import ArgumentParser
import Console
import Darkroom

/// `darkroom cache`: inspects and maintains the disk cache.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Inspects and maintains the disk cache.",
        discussion: .help(
            "The default folder is below XDG_CACHE_HOME or the home directory; --cache selects another one.",
            examples: "darkroom cache stats", "darkroom cache ls --json --cache /var/cache/images",
            "darkroom cache purge https://example.com/photo.jpg"),
        subcommands: [
            Stats.self, List.self, Verify.self, Clear.self, Trim.self, Remove.self, CacheWarmCommand.self,
        ])

    /// Counts the entries.
    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the number and the total size of entries.",
            discussion: .help(examples: "darkroom cache stats --json"), aliases: ["stat"])
        @OptionGroup var options: CacheFolderOptions

        func run() async throws { options.printUsage(try await options.cache?.usage()) }
    }

    /// Verifies the entries.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verifies all entries, and removes damaged ones.",
            discussion: .help(examples: "darkroom cache verify --cache /var/cache/images"))
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let found = try await options.cache?.verify()
            let (intact, removed) = (found?.intactCount ?? 0, found?.removedCount ?? 0)
            options.print("\(intact) entries are intact, \(removed) damaged entries were removed") {
                JSONLine(["directory": $0, "intact": intact, "removed": removed])
            }
        }
    }

    /// Lists the files of all entries.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "Lists the files of all entries, oldest first.",
            discussion: .help(
                """
                Any image viewer opens the files. Their names are derived from cache keys; `darkroom key` prints the \
                name for a URL.
                """,
                examples: "darkroom cache ls", "darkroom cache ls --json"))
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            for entry in CacheListing(folder: CacheFolder(options.path).url).entries {
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

        @Flag(help: "Only print how much would be removed.")
        var dryRun = false

        func run() async throws {
            let cache = try options.cache
            if !dryRun { try await cache?.removeAll() }
            options.printUsage(try await cache?.usage())
        }
    }

    /// Removes entries beyond the limits.
    struct Trim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes entries beyond the limits of age and size, and leftovers of killed processes.",
            discussion: .help(
                """
                Above the size limit, the least recently used entries are removed, down to half of it. With --cache, only limits \
                that options give apply.
                """,
                examples: "darkroom cache gc", "darkroom cache gc --cache /var/cache/images --cache-bytes 50000000000"),
            aliases: ["gc"])
        @OptionGroup var options: CacheFolderOptions
        @OptionGroup var size: CacheSizeOptions

        @Option(
            help: ArgumentHelp(
                "The days without use after which entries are removed: 7 by default, but no limit with --cache.",
                valueName: "n"))
        var cacheDays: Int?

        func validate() throws {
            guard cacheDays.map({ (1...100_000).contains($0) }) ?? true else {
                throw ValidationError("--cache-days must be between 1 and 100000.")
            }
        }

        func run() async throws {
            let age = cacheDays.map { Duration.seconds($0 * 24 * 60 * 60) }
            let cache = try CacheFolder(options.path, byteLimit: size.cacheBytes, ageLimit: age).existingCache
            try await cache?.trim()
            options.printUsage(try await cache?.usage())
        }
    }

    /// Removes one image.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes an image and all of its variants.",
            discussion: .help(examples: "darkroom cache purge https://example.com/photo.jpg"), aliases: ["purge"])
        @Argument(help: ArgumentHelp("A URL or path.", valueName: "url"), completion: .images) var source: Source
        @OptionGroup var filters: KeyFilterOptions
        @OptionGroup var options: CacheFolderOptions

        func run() async throws {
            let cache = try options.cache
            let before = try await cache?.usage().count ?? 0
            if let key = try KeyCommand.key(of: source, filters: filters.filters) {
                try await cache?.removeAll(ofSource: key.source)
            }
            let usage = try await cache?.usage()
            let removed = max(0, before - (usage?.count ?? 0))
            guard !options.json else { return options.printUsage(usage, removed: removed) }
            if removed == 0 { FileDescriptor.standardOutput.print("\(source.shownText): not in the cache") }
            options.printUsage(usage)
        }
    }
}
