import ArgumentParser
import Console
import Darkroom
import Synchronization

/// `darkroom frames`: writes every frame of an image to a file.
struct FramesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames", abstract: "Writes every frame of an image as PNG.",
        discussion: .help(
            """
            Frames are complete images, numbered from 1, with their duration in the name, such as cat-0001-0.100s.png. \
            A frame that cannot be decoded is skipped, and the exit status is 1. One with missing pixels is written \
            with the frame before in their place, and noted on standard error.
            """,
            examples: "darkroom frames cat.gif --output frames/",
            "darkroom frames cat.webp --thumbnail 64x64 --output small/ --json"))

    @Argument(
        help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .images)
    var source: Source

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder for the files; it is created if necessary.", valueName: "dir"),
        completion: .directory)
    var output: String

    @OptionGroup var variant: VariantOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var loading: LoadingOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard output != "" else { throw ValidationError("--output requires a path.") }
        guard output != "-" else { throw ValidationError("--output requires a folder.") }
    }

    func run() async throws {
        let manager = try loading.manager(caches)
        let printer = FramesPrinter(source: source, report: report)
        let failures = Mutex<[ImageError]>([])
        do throws(ImageError) {
            try await write(with: manager) { outcome in
                if case .failure(let error) = outcome.result { failures.withLock { $0.append(error) } }
                printer.print(outcome)
            }
        } catch {
            failures.withLock { $0.append(error) }
            printer.print(error)
        }
        await manager.waitForStores()
        throw ExitCode(ExitStatus.of(failures.withLock(\.self)))
    }

    private func write(
        with manager: ImageManager, report onFrame: @escaping @Sendable (FrameOutcome) -> Void
    ) async throws(ImageError) {
        let folder = OutputFolder(output, sources: [source])
        try folder.create()
        let printsProgress = !report.json && !report.quiet
        let progress = printsProgress ? ProgressBar(sourceCount: 1) : nil
        let context = try await variant.fullContext(loading, caches, imagesFrom: manager)
        let image = try await SourceLoader(manager: manager, context: context, progress: progress).loadImage(source)
        try await FramesRunner(
            coders: manager.coders, context: context, folder: folder,
            inputs: InputFiles([source], otherPaths: variant.imagePaths)
        ).write(image, report: onFrame)
    }
}
