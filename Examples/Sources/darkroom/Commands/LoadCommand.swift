import ArgumentParser
import Console
import Darkroom

/// `darkroom load`: loads images through the caches, and writes the results to files.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Loads images through the caches, and writes the results.",
        discussion: .help(
            """
            A folder stands for the pictures in it, recognized by their extensions; hidden files are skipped. With \
            --recursive, those of the folders inside it follow, and --output gets the same folders. A complete \
            output replaces an existing file, whose permissions it gets. A link stays, and its target is replaced.
            """,
            examples: "darkroom load photo.jpg --thumbnail 180x120 --output thumbnails/",
            "darkroom load photos/ --recursive -s 400x -o small/",
            "darkroom load *.png --format webp --quality 80 --output web/",
            "darkroom load https://example.com/photo.jpg --refresh --json",
            "darkroom load - --transform crop:0,0,9,9+flip:h --format png --output -",
            "darkroom load --dry-run --output small.jpg --max-bytes 20000 -- -odd.png"))

    @Argument(
        help: ArgumentHelp("A URL, a file, a folder, or - for standard input.", valueName: "source"),
        completion: .images)
    var sources: [Source]

    @Flag(name: .shortAndLong, help: "Include the folders inside folders.")
    var recursive = false

    @OptionGroup var variant: VariantOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var loading: LoadingOptions
    @OptionGroup var queue: QueueOptions
    @OptionGroup var report: ReportOptions

    @Flag(help: "Only print where each image would come from, and where it would be written.")
    var dryRun = false

    func validate() throws {
        try sources.checkStandardInput()
        guard !output.isStandardOutput || !report.json else {
            throw ValidationError("--json and --output \(output.output ?? "-") cannot both write to standard output.")
        }
        // Throws for arguments that cannot be combined.
        _ = try destination(for: sources.map { ListedSource(source: $0) })
    }

    func run() async throws {
        let listing = SourceListing(sources, isRecursive: recursive, output: output.output)
        listing.printRemarks(isQuiet: report.quiet || report.json)
        let destination = try destination(for: listing.sources)
        guard !dryRun else { return try await explain(listing, destination) }
        try destination?.prepare()
        let failures = listing.failures.map(\.error) + (try await load(listing, to: destination))
        throw ExitCode(ExitStatus.of(failures))
    }

    /// Loads all sources, and returns the errors.
    private func load(_ listing: SourceListing, to destination: Destination?) async throws -> [ImageError] {
        let sources = listing.sources.map(\.source)
        let manager = try loading.manager(caches)
        let context = try await context(destination, manager)
        let progress = report.json || report.quiet ? nil : ProgressBar(sourceCount: sources.count)
        let loader = SourceLoader(manager: manager, context: context, progress: progress)
        let runner = LoadRunner(
            sources: sources, loader: loader, destination: destination, inputs: inputs(sources),
            blendsOverWhite: blendsOverWhite(destination))
        let printer = LoadPrinter(
            sources: sources, sourceWidth: sources.columnWidth, report: report, isSilent: output.isStandardOutput)
        var failures: [ImageError] = []
        var summary = LoadSummary()
        await process(sources, jobs: queue.jobs) {
            await runner.outcome(of: $0)
        } report: { outcome in
            if case .failure(let error) = outcome.result { failures.append(error) }
            summary.add(outcome)
            guard let progress else { return printer.print(outcome) }
            progress.finish(outcome.index) { printer.print(outcome) }
        }
        await manager.waitForStores()
        if sources.count > 1, !report.json, !report.quiet {
            FileDescriptor.standardOutput.print(summary.description)
        }
        return failures
    }

    /// Prints what the command would do.
    private func explain(_ listing: SourceListing, _ destination: Destination?) async throws {
        let sources = listing.sources.map(\.source)
        let manager = try loading.manager(caches.readOnly)
        let planner = LoadPlanner(
            manager: manager, context: try await context(destination, manager), destination: destination,
            format: output.format?.imageFormat, inputs: inputs(sources), report: report)
        var failures = listing.failures.map(\.error)
        for index in sources.indices {
            if let failure = await planner.explain(sources[index], at: index) { failures.append(failure) }
        }
        throw ExitCode(ExitStatus.of(failures))
    }

    private func destination(for listed: [ListedSource]) throws -> Destination? {
        try output.destination(for: listed, areSeveral: sources.count > 1 || sources.contains { $0.folderPath != nil })
    }

    private func inputs(_ sources: [Source]) -> InputFiles {
        InputFiles(sources, otherPaths: variant.imagePaths, isInPlace: output.inPlace)
    }

    /// Whether transparent pixels become white, because the format has none and no other colour is given.
    private func blendsOverWhite(_ destination: Destination?) -> Bool {
        (output.format?.imageFormat ?? destination?.namedFormat) == .jpeg && output.encoding.background == nil
    }

    private func context(
        _ destination: Destination?, _ manager: ImageManager
    ) async throws(ImageError) -> ImageContext {
        var context = try await variant.fullContext(loading, caches, imagesFrom: manager)
        output.encoding.apply(to: &context)
        if blendsOverWhite(destination) { context.background = .white }
        context.encodedFormat = .written(output.format?.imageFormat, to: destination)
        return context
    }
}

extension [Source] {
    /// Throws an error if standard input, which can be read only once, is given several times.
    func checkStandardInput() throws {
        guard count(where: \.isStandardInput) <= 1 else {
            throw ValidationError("Standard input (-) may be given only once.")
        }
    }
}
