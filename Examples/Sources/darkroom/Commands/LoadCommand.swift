import ArgumentParser
import Darkroom

/// `darkroom load`: pictures through the caches, and what is made of them into files.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Loads pictures through the caches, and writes what is made of them.")

    @Argument(help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"))
    var sources: [Source]

    @OptionGroup var variant: VariantOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var caches: CacheOptions

    @Flag(help: "Take pictures from the caches only.")
    var fromCacheOnly = false

    @Flag(help: "Ask the origin whether cached pictures have changed.")
    var refresh = false

    @OptionGroup var loading: LoadingOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        try sources.checkStandardInput()
        guard !fromCacheOnly || !refresh else {
            throw ValidationError("--from-cache-only and --refresh exclude each other.")
        }
        guard output.output != "-" || !report.json else {
            throw ValidationError("--json and --output - would both write to standard output.")
        }
        // It says which arguments cannot go together.
        _ = try output.destination(for: sources)
    }

    func run() async throws {
        let destination = try output.destination(for: sources)
        try destination?.prepare()
        let manager = try manager()
        let progress = report.json || report.quiet ? nil : ProgressBar(sourceCount: sources.count)
        let work = LoadWork(
            sources: sources, manager: manager, context: context, destination: destination,
            format: output.format?.imageFormat, progress: progress)
        let printer = LoadPrinter(
            sources: sources, sourceWidth: sources.columnWidth, report: report, isSilent: output.output == "-")
        var failures: [ImageError] = []
        await handle(sources, jobs: loading.jobs) {
            await work.outcome(of: $0)
        } report: { outcome in
            if case .failure(let error) = outcome.result { failures.append(error) }
            guard let progress else { return printer.print(outcome) }
            progress.finish(outcome.index) { printer.print(outcome) }
        }
        await manager.waitForStores()
        throw ExitCode(ExitStatus.of(failures))
    }

    private var context: ImageContext {
        var context = variant.context
        loading.apply(to: &context)
        context.cacheUse = fromCacheOnly ? .cacheOnly : refresh ? .refresh : .standard
        context.quality = output.quality.map { $0 / 100 }
        return context
    }

    private func manager() throws -> ImageManager {
        try ImageManager {
            loading.install(in: &$0)
            $0.imageCache = MemoryImageCache()
            $0.dataCache = try caches.dataCache()
        }
    }
}

extension [Source] {
    /// Standard input can be read only once.
    func checkStandardInput() throws {
        guard count(where: \.isStandardInput) <= 1 else { throw ValidationError("- may be given only once.") }
    }
}
