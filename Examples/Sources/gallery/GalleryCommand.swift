import ArgumentParser
import Console
import Darkroom
import InstalledCoders

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The example `gallery`: scrolls through images in the terminal.
@main
struct GalleryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery", abstract: "Scrolls through images in the terminal.",
        discussion: """
            j and k or the arrow keys move by one row, space and b or the page keys by one screen, g and G go to the first \
            and the last row, and q quits. If standard output is not a terminal, the last frame is printed.
            """)

    @Argument(help: ArgumentHelp("Folders, files and URLs.", valueName: "source"))
    var sources: [String] = []

    @Option(help: ArgumentHelp("A file with a URL or path on each line.", valueName: "file"))
    var list: String?

    @Option(help: ArgumentHelp("Keys to press, instead of reading the keyboard.", valueName: "text"))
    var keys: String?

    @Option(help: ArgumentHelp("Columns and rows, instead of the size of the terminal.", valueName: "80x24"))
    var size: String?

    @Option(help: ArgumentHelp("The number of lines for an image and its margin.", valueName: "n"))
    var rowHeight = 6

    @Option(
        help: ArgumentHelp(
            "The cache folder, from which nothing is evicted; without one, nothing is cached on disk.",
            valueName: "dir"))
    var cache: String?

    func validate() throws {
        guard !sources.isEmpty || list != nil else { throw ValidationError("Give at least one source or a list.") }
        guard list != "-" || keys != nil else {
            throw ValidationError("A list on standard input requires --keys.")
        }
        guard (1...1000).contains(rowHeight) else { throw ValidationError("--row-height must be between 1 and 1000.") }
        guard size == nil || terminal != nil else { throw ValidationError("--size must be COLUMNSxROWS.") }
    }

    @MainActor
    func run() async throws {
        System.endCleanlyOnSignals(leave: FullScreen.leave)
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(InstalledCoders())
            $0.imageCache = MemoryImageCache()
            if let cache {
                // It may be that of another program, whose limits are not known.
                $0.dataCache = try DiskDataCache(
                    directory: URL(pathAsGiven: cache, directoryHint: .isDirectory), byteLimit: .max, ageLimit: nil)
            }
        }
        let environment = ProcessInfo.processInfo.environment
        let gallery = Gallery(
            try await allSources(), manager: manager,
            renderer: TerminalStyle.blocks.renderer(environment: environment, identifier: 0),
            layout: GalleryLayout(
                terminal ?? FileDescriptor.standardOutput.terminalSize ?? .standard, rowHeight: rowHeight))
        await GalleryLoop(gallery, keys: keys, hasFixedSize: size != nil).run()
        await manager.waitForStores()
    }

    static func main() async {
        do {
            var command = try parseAsRoot(Array(System.arguments.dropFirst()))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    private var terminal: TerminalSize? {
        guard let sides = size?.fields(separatedBy: UInt8(ascii: "x")).map({ Int($0) ?? 0 }), sides.count == 2,
            sides.allSatisfy({ (1...10_000).contains($0) })
        else { return nil }
        return TerminalSize(columns: sides[0], rows: sides[1])
    }

    private func allSources() async throws -> [Source] {
        let executor = WorkExecutor(name: "folders", width: 1)
        var all = try await executor.run { [sources] in sources.flatMap(images(at:)) }
        if let list {
            let list = try SourceList(path: list)
            while let source = await list.next() { all.append(source) }
            if let failure = list.failure { throw failure }
        }
        return all
    }
}

/// Returns the images of a folder sorted by name; any other path is an image itself.
@Sendable
private func images(at path: String) -> [Source] {
    guard let names = Folder.names(in: path) else {
        return [Source(argument: path)].compactMap(\.self)
    }
    return names.sorted()
        .filter { ["png", "jpg", "jpeg", "gif", "webp"].contains($0.pathExtension?.lowercased()) }
        .compactMap { Source(argument: path + "/" + $0) }
}
