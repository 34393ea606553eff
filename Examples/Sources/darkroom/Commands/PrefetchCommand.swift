import ArgumentParser
import Console
import Darkroom
import Synchronization

/// `darkroom prefetch`: loads the images of a list into the caches.
struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch", abstract: "Loads the images of a list into the cache.",
        discussion: .help(
            """
            The list contains a URL or a path on each line; blank lines and those that begin with # are skipped. With \
            --null, entries end with a zero byte instead of a line break, and none are skipped. The list is read on \
            demand. Images that are cached already are not loaded again.
            """,
            examples: "darkroom prefetch list.txt --thumbnail 180x120 --jobs 8",
            "find photos -name '*.jpg' -print0 | darkroom prefetch --null -",
            "darkroom prefetch --dry-run --json list.txt"))

    @Argument(help: ArgumentHelp("A file of URLs, or - for standard input.", valueName: "list"), completion: .file())
    var list: String

    @Flag(name: [.customShort("0"), .long], help: "The entries end with zero bytes, as find -print0 writes them.")
    var null = false

    @Flag(help: "Only print what is cached, and what would be loaded.")
    var dryRun = false

    @Option(help: ArgumentHelp("The maximum number of concurrent loads.", valueName: "n"))
    var jobs = 3

    @OptionGroup var variant: VariantOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var loading: LoadingOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard jobs > 0 else { throw ValidationError("--jobs must be at least 1.") }
        guard !caches.noCache else { throw ValidationError("--no-cache leaves no cache to prefetch into.") }
    }

    func run() async throws {
        let sources = try SourceList(path: list, separator: separator)
        guard !dryRun else { return try await explain(sources) }
        let failures = CacheFailures()
        let manager = try loading.manager(caches, keepsImages: false, noting: failures)
        let context = try await context(manager)
        let progress = report.json || report.quiet ? nil : ProgressBar(sourceCount: try await count())
        progress?.show()
        let prefetcher = Prefetcher(manager, loadLimit: jobs)
        let interruption = Mutex<Int32?>(nil)
        System.stopOnInterruption { status in
            interruption.withLock { $0 = status }
            prefetcher.cancelAll()
        }
        var printer = PrefetchPrinter(report: report, progress: progress)
        await PrefetchRunner(next: sources.next, prefetcher: prefetcher, context: context).run { printer.print($0) }
        await manager.waitForStores()
        if let failure = sources.failure { printer.note(failure) }
        printer.printCounts()
        throw ExitCode(interruption.withLock { $0 } ?? ExitStatus.of(printer.failures + failures.all))
    }

    /// Returns the number of images in the list if it can be read twice and the progress bar is visible.
    private func count() async throws(ImageError) -> Int? {
        guard list != "-", !FileDescriptor.isSpecial(list), FileDescriptor.standardError.isTerminal else { return nil }
        let sources = try SourceList(path: list, separator: separator)
        var count = 0
        while await sources.next() != nil { count += 1 }
        return count
    }

    private var separator: SourceList.Separator { null ? .zeroByte : .lineBreak }

    /// Prints what the command would do.
    private func explain(_ sources: SourceList) async throws {
        let manager = try loading.manager(caches.readOnly, keepsImages: false)
        let planner = LoadPlanner(
            manager: manager, context: try await context(manager), destination: nil, format: nil,
            inputs: InputFiles([]), report: report)
        var failures: [ImageError.Kind: ImageError] = [:]
        while let source = await sources.next() {
            if let failure = await planner.explain(source, at: 0) { failures[failure.kind] = failure }
        }
        if let failure = sources.failure { throw failure }
        throw ExitCode(ExitStatus.of(Array(failures.values)))
    }

    private func context(_ manager: ImageManager) async throws(ImageError) -> ImageContext {
        var context = try await variant.fullContext(loading, caches, imagesFrom: manager)
        // The next load starts only when this image is on disk, because no other cache stores it.
        context.waitsForStore = true
        return context
    }
}
