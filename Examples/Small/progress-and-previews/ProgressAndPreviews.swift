import Darkroom
import Foundation
import SmallExample

/// Shows an image while it loads: prints the progress, and writes each preview to a file.
///
///     swift run --package-path Examples progress-and-previews https://example.com/photo.jpg previews
@main
enum ProgressAndPreviews: SmallExample {
    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[1]) else {
            return print("usage: progress-and-previews URL FOLDER")
        }
        let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

        // Without caches, so that each run downloads the image.
        let manager = try ImageManager { $0.install(StandardPlugins()) }
        let context = ImageContext {
            $0.deliversPreviews = true
            $0.progressInterval = 0.1
            $0.thumbnail = .fit(640, 480)
        }
        var previewCount = 0
        for try await event in manager.events(for: url, context: context) {
            switch event {
            case .response(let response):
                print("the origin server sends \(response.contentType ?? "an unknown type")")
            case .progress(let received, let expected):
                print("\(received) of \(expected.map(String.init) ?? "unknown") bytes")
            case .preview(let image):
                previewCount += 1
                try write(image, to: folder.appending(path: "preview-\(previewCount).png"), with: manager)
            case .finished(let result):
                try write(result.image, to: folder.appending(path: "finished.png"), with: manager)
            case .cached, .queued, .started:
                break
            }
        }
    }

    private static func write(_ image: Image, to file: URL, with manager: ImageManager) throws {
        try manager.coders.encode(image, as: .png).write(to: file)
        print("\(file.lastPathComponent): \(image.size)\(image.metadata.isIncomplete ? ", incomplete" : "")")
    }
}
