import ArgumentParser
import Console
import Darkroom

/// `darkroom load`: loads images through the caches, and writes the results to files.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Loads images through the caches, and writes the results.",
        discussion: .help(
            examples: "darkroom load photo.jpg --thumbnail 180x120 --output thumbnails/",
            "darkroom load *.png --format webp --quality 80 --output web/",
            "darkroom load https://example.com/photo.jpg --refresh --json",
            "darkroom load - --transform crop:0,0,9,9+flip:h --format png --output -",
            "darkroom load --dry-run --output small.jpg --max-bytes 20000 -- -odd.png"))

    @Argument(
        help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .images)
    var sources: [Source]

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
        guard output.output != "-" || !report.json else {
            throw ValidationError("--json and --output - cannot both write to standard output.")
        }
        // Throws for arguments that cannot be combined.
        _ = try output.destination(for: sources)
    }

    func run() async throws {
        let destination = try output.destination(for: sources)
        guard !dryRun else { return try await explain(destination) }
        try destination?.prepare()
        let manager = try loading.manager(caches)
        let progress = report.json || report.quiet ? nil : ProgressBar(sourceCount: sources.count)
        let loader = SourceLoader(manager: manager, context: context(destination), progress: progress)
        let runner = LoadRunner(sources: sources, loader: loader, destination: destination, inputs: inputs)
        let printer = LoadPrinter(
            sources: sources, sourceWidth: sources.columnWidth, report: report, isSilent: output.output == "-")
        var failures: [ImageError] = []
        await process(sources, jobs: queue.jobs) {
            await runner.outcome(of: $0)
        } report: { outcome in
            if case .failure(let error) = outcome.result { failures.append(error) }
            guard let progress else { return printer.print(outcome) }
            progress.finish(outcome.index) { printer.print(outcome) }
        }
        await manager.waitForStores()
        throw ExitCode(ExitStatus.of(failures))
    }

    /// Prints what the command would do.
    private func explain(_ destination: Destination?) async throws {
        let planner = LoadPlanner(
            manager: try loading.manager(caches.readOnly), context: context(destination), destination: destination,
            format: output.format?.imageFormat, inputs: inputs, report: report)
        var failures: [ImageError] = []
        for index in sources.indices {
            if let failure = await planner.explain(sources[index], at: index) { failures.append(failure) }
        }
        throw ExitCode(ExitStatus.of(failures))
    }

    private var inputs: InputFiles {
        InputFiles(sources, otherPaths: variant.imagePaths, isInPlace: output.inPlace)
    }

    private func context(_ destination: Destination?) -> ImageContext {
        var context = variant.context
        loading.apply(to: &context)
        caches.apply(to: &context)
        output.encoding.apply(to: &context)
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
