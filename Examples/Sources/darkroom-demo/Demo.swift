import Foundation
import PictureServer

/// Loads the images of a folder through the command line three times, and shows which cache or origin each one came
/// from.
///
/// Arguments: the path of `darkroom`, the folder of images, the folder for the thumbnails.
@main
struct Demo {
    let command: Darkroom
    let names: [String]
    let cache: URL
    let output: URL
    /// The URL of the server of the images.
    let server: String

    static func main() async {
        let temporary = FileManager.default.temporaryDirectory.appending(path: "darkroom-demo-\(UUID().uuidString)")
        do {
            defer { try? FileManager.default.removeItem(at: temporary) }
            try await run(CommandLine.arguments.dropFirst().map { URL(filePath: $0) }, cache: temporary)
        } catch {
            FileHandle.standardError.write(Data("darkroom-demo: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ paths: [URL], cache: URL) async throws {
        guard paths.count == 3 else { throw DemoError("usage: darkroom-demo DARKROOM IMAGES OUTPUT") }
        let names = try FileManager.default.contentsOfDirectory(atPath: paths[1].path).filter {
            ["png", "jpg", "jpeg", "gif", "webp"].contains(URL(filePath: $0).pathExtension.lowercased())
        }
        guard !names.isEmpty else { throw DemoError("the folder \(paths[1].path) contains no images") }
        try await PictureServer(folder: paths[1].path, chunkDelay: .milliseconds(20)).run { server in
            let demo = Demo(
                command: Darkroom(executable: paths[0]), names: names.sorted(), cache: cache, output: paths[2],
                server: server)
            try await demo.run()
        }
    }

    private func run() async throws {
        let urls = names.map { "\(server)/\($0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? $0)" }
        try printLine("\(names.count) images are served at \(server). The output without a cache:\n")
        try await command.show(["load"] + urls + ["--thumbnail", "180x120", "--no-cache"])

        try await load(urls, title: "First process, cold", into: output) { $0 == "network" }
        try await load(urls, title: "Second process, warm", into: output) { $0 == "disk" }
        let twice = urls.flatMap { [$0, $0] }
        let loads = try await load(
            twice, title: "Third process, each image twice", into: cache.appending(path: "twice"))
        guard loads.indices.allSatisfy({ loads[$0].origin == ($0.isMultiple(of: 2) ? "disk" : "memory") }) else {
            throw DemoError("an image that was given twice did not come from memory the second time")
        }
        try printLine("\nThe thumbnails are in \(output.path).")
    }

    /// Loads `urls` in a new process, and prints a table of the loads. Throws an error if the origin of one is unexpected.
    @discardableResult
    private func load(
        _ urls: [String], title: String, into folder: URL, isExpected: (_ origin: String) -> Bool = { _ in true }
    ) async throws -> [Load] {
        let cachePath = cache.appending(path: "cache").path
        let loads = try await command.load(
            urls + ["--thumbnail", "180x120", "--cache", cachePath, "--output", folder.path + "/"])
        try printLine("\n\(title):\n\n\(Table(loads, server: server).text)")
        for load in loads where !isExpected(load.origin ?? "nowhere") {
            throw DemoError("\(load.source) came from \(load.origin ?? "nowhere"): \(load.error?.message ?? "")")
        }
        return loads
    }
}

/// The reason why the demo cannot continue.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Writes a line immediately, so that it precedes the output of the next process.
private func printLine(_ line: String) throws {
    do {
        try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
        throw DemoError("standard output cannot be written: \(error.localizedDescription)")
    }
}
