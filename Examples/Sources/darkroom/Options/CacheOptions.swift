import ArgumentParser
import Console
import Darkroom

/// The options that control caching.
struct CacheOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The cache folder.", valueName: "dir"), completion: .directory)
    var cache: String?

    @OptionGroup var size: CacheSizeOptions

    @Flag(help: "Do not use the disk cache.")
    var noCache = false

    @Flag(help: "Only use cached images; never contact the origin.")
    var fromCacheOnly = false

    @Flag(help: "Revalidate cached images with the origin.")
    var refresh = false

    @OptionGroup var filters: KeyFilterOptions

    func validate() throws {
        guard cache == nil || !noCache else { throw ValidationError("--cache and --no-cache cannot be combined.") }
        guard size.cacheBytes == nil || !noCache else {
            throw ValidationError("--cache-bytes and --no-cache cannot be combined.")
        }
        guard !fromCacheOnly || !refresh else {
            throw ValidationError("--from-cache-only and --refresh cannot be combined.")
        }
    }

    /// Sets the cache policy.
    func apply(to context: inout ImageContext) {
        context.cacheUse = fromCacheOnly ? .cacheOnly : refresh ? .refresh : .standard
    }

    /// A copy that disables the disk cache if its folder has none, because a dry run must not create it.
    var readOnly: CacheOptions {
        var options = self
        if !folder.hasCache { (options.cache, options.noCache) = (nil, true) }
        return options
    }

    /// The disk cache; `nil` when disabled. It prints its failures, and that its folder may only be read.
    ///
    /// If its folder is unusable, that is an error if the cache `isRequired`, and otherwise a warning.
    func dataCache(isRequired: Bool, noting failures: CacheFailures) throws -> DiskDataCache? {
        guard !noCache else { return nil }
        do throws(ImageError) {
            return try folder.cache { failures.note($0) }
        } catch {
            if isRequired { throw error }
            FileDescriptor.standardError.print("darkroom: \(error.message); no disk cache is used")
            return nil
        }
    }

    private var folder: CacheFolder { CacheFolder(cache, byteLimit: size.cacheBytes) }
}
