import ArgumentParser

/// The option that limits the size of the disk cache.
struct CacheSizeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The size above which the least recently used entries are removed: 1 GiB by default, but none with --cache, because another program may have its own limit.",
            valueName: "n"))
    var cacheBytes: Int?

    func validate() throws {
        guard cacheBytes.map({ $0 > 0 }) ?? true else { throw ValidationError("--cache-bytes must be at least 1.") }
    }
}
