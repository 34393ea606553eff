import ArgumentParser
import Console
import Darkroom
import Synchronization

/// `darkroom cache warm`: loads images into the cache, as `darkroom prefetch` does with a list.
struct CacheWarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm", abstract: "Loads images into the cache, unless they are cached already.",
        discussion: .help(
            "For many images, use a list: see `darkroom prefetch`.",
            examples: "darkroom cache warm https://example.com/photo.jpg --thumbnail 180x120"))

    @Argument(help: ArgumentHelp("A URL or path.", valueName: "url"), completion: .images)
    var sources: [Source]

    @OptionGroup var variant: VariantOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var loading: LoadingOptions
    @OptionGroup var queue: QueueOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard !caches.noCache else { throw ValidationError("--no-cache leaves no cache to load into.") }
    }

    func run() async throws {
        let failures = CacheFailures()
        let manager = try loading.manager(caches, keepsImages: false, noting: failures)
        var context = try await variant.fullContext(loading, caches, imagesFrom: manager)
        context.waitsForStore = true
        let rest = Mutex(sources[...])
        let prefetcher = Prefetcher(manager, loadLimit: queue.jobs)
        let progress = report.json || report.quiet ? nil : ProgressBar(sourceCount: sources.count)
        var printer = PrefetchPrinter(report: report, progress: progress)
        let runner = PrefetchRunner(
            next: { rest.withLock { $0.popFirst() } }, prefetcher: prefetcher, context: context)
        await runner.run { printer.print($0) }
        await manager.waitForStores()
        printer.printCounts()
        throw ExitCode(ExitStatus.of(printer.failures + failures.all))
    }
}
