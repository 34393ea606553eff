import ArgumentParser
import Console
import Darkroom

/// `darkroom info`: prints the headers of images. Nothing is decoded, and no cache is used.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Prints the headers of images.",
        discussion: .help(
            "Nothing is decoded, and no cache is used.",
            examples: "darkroom info photo.jpg cat.gif", "darkroom info --json --jobs 8 https://example.com/photo.jpg"))

    @Argument(
        help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .images)
    var sources: [Source]

    @OptionGroup var loading: LoadingOptions
    @OptionGroup var queue: QueueOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws { try sources.checkStandardInput() }

    func run() async throws {
        var context = ImageContext()
        loading.apply(to: &context)
        var loaders: [any ImageLoader] = []
        let pool = try loading.makePool()
        let manager = try ImageManager {
            loading.install(in: &$0, isolatedIn: pool)
            loaders = $0.loaders
        }
        let runner = InfoRunner(sources: sources, loaders: loaders, coders: manager.coders, context: context)
        let printer = InfoPrinter(
            sources: sources, sourceWidth: sources.columnWidth, isJSON: json)
        var failures: [ImageError] = []
        await process(sources, jobs: queue.jobs) {
            await runner.outcome(of: $0)
        } report: { outcome in
            if case .failure(let error) = outcome.result { failures.append(error) }
            printer.print(outcome)
        }
        throw ExitCode(ExitStatus.of(failures))
    }
}
