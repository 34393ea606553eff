import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `darkroom play`: shows an image in the terminal.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Shows an image in the terminal, and plays animations.",
        discussion: .help(
            """
            Images are scaled down to fit the terminal, and never enlarged. Mostly transparent pixels show the terminal's \
            background. If standard output is not a terminal, --style is required, and 80 columns and 24 rows are \
            assumed.
            """,
            examples: "darkroom play cat.gif --style blocks",
            "darkroom play --style blocks --loops 1 --rate 2 --width 40 cat.gif"))

    @Argument(
        help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .images)
    var source: Source

    @Option(help: ArgumentHelp("The number of loops, 0 for ever; by default that of the animation.", valueName: "n"))
    var loops: Int?

    @Option(help: ArgumentHelp("The playback rate.", valueName: "factor"))
    var rate = 1.0

    @Option(help: ArgumentHelp("The maximum number of columns.", valueName: "n"))
    var width: Int?

    @Option(help: ArgumentHelp("blocks or kitty; by default the best that the terminal supports.", valueName: "style"))
    var style: TerminalStyle?

    @OptionGroup var caches: CacheOptions
    @OptionGroup var loading: LoadingOptions

    func validate() throws {
        guard loops.map({ $0 >= 0 }) ?? true else { throw ValidationError("--loops must not be negative.") }
        guard (0.001...1000).contains(rate) else { throw ValidationError("--rate must be between 0.001 and 1000.") }
        guard width.map({ $0 > 0 }) ?? true else { throw ValidationError("--width must be at least 1.") }
        guard style != nil || FileDescriptor.standardOutput.isTerminal else {
            throw ValidationError("Standard output is not a terminal; select the output with --style.")
        }
    }

    func run() async throws {
        System.stopCleanlyOnSignal()
        let manager = try loading.manager(caches)
        do throws(ImageError) {
            try await play(with: manager)
        } catch {
            error.print(about: source)
            throw ExitCode(ExitStatus.of([error]))
        }
        await manager.waitForStores()
    }

    private func play(with manager: ImageManager) async throws(ImageError) {
        let environment = ProcessInfo.processInfo.environment
        let renderer = (style ?? TerminalStyle(environment: environment))
            .renderer(environment: environment, identifier: .random(in: 1 << 16 ..< .max))
        let runner = PlayRunner(renderer: renderer, loopCount: loops, rate: rate, width: width)
        let loader = SourceLoader(
            manager: manager, context: context(fitting: runner.bounds), progress: ProgressBar(sourceCount: 1))
        let image = try await loader.loadImage(source)
        image.metadata.notes.print(about: source)
        do {
            try await runner.play(image)
        } catch {
            throw error as? ImageError ?? ImageError(.internal, .decode, "\(error)", underlying: error)
        }
    }

    private func context(fitting bounds: PixelSize) -> ImageContext {
        var context = ImageContext()
        loading.apply(to: &context)
        caches.apply(to: &context)
        context.thumbnail = .fit(Double(bounds.width), Double(bounds.height))
        return context
    }
}
