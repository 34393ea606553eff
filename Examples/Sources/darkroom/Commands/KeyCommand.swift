import ArgumentParser
import Console
import Darkroom
import InstalledCoders

/// `darkroom key`: prints the cache key of an image. Nothing is loaded.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Prints the cache key of an image and the name of its file, without loading it.",
        discussion: .help(
            examples: "darkroom key https://example.com/photo.jpg --thumbnail 180x120",
            "darkroom key 'https://example.com/a.jpg?size=2&token=3' --drop-query token"))

    @Argument(help: ArgumentHelp("A URL or path.", valueName: "url"), completion: .images)
    var source: Source

    @OptionGroup var variant: VariantOptions

    @OptionGroup var filters: KeyFilterOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(InstalledCoders())
        }
        let context = try await variant.fullContext(imagesFrom: manager)
        guard let key = try Self.key(of: source, context: context, filters: filters.filters) else {
            throw ImageError(.unsupported, .request, "standard input is not cached, so it has no key")
        }
        guard json else {
            return [key.description, key.fileName].forEach(FileDescriptor.standardOutput.print)
        }
        JSONLine([
            "key": key.description, "fileName": key.fileName, "source": key.source, "variant": key.variant,
        ]).print()
    }

    /// Returns the key of `source`; `nil` when it is not cached.
    static func key(
        of source: Source, context: ImageContext = .init(), filters: [any CacheKeyFilter] = []
    ) throws -> CacheKey? {
        let manager = try ImageManager {
            $0.install(DataURLLoader())
            $0.install(StandardInputLoader())
            $0.keyFilters += filters
        }
        return manager.key(for: try source.validURL, context: context)
    }
}
