import DarkroomCore
import DarkroomFile
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP
import Foundation
import SmallExample

/// Makes thumbnails of all images in a folder, four at a time, with a progress bar.
///
///     swift run --package-path Examples thumbnail-batch photos thumbnails
@main
enum ThumbnailBatch: SmallExample {
    static func run() async throws {
        let folders = CommandLine.arguments.dropFirst().map { URL(filePath: $0, directoryHint: .isDirectory) }
        guard folders.count == 2 else { return print("usage: thumbnail-batch IMAGES THUMBNAILS") }
        let images = try FileManager.default.contentsOfDirectory(at: folders[0], includingPropertiesForKeys: nil)
            .filter { ImageFormat(named: $0.pathExtension) != nil }
        try FileManager.default.createDirectory(at: folders[1], withIntermediateDirectories: true)
        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(GIFCoder())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
            $0.install(WebPCoder())
        }

        var waiting = images[...]
        var (finished, failed) = (0, 0)
        await withTaskGroup(of: Bool.self) { group in
            func startNext() {
                guard let image = waiting.popFirst() else { return }
                group.addTask { await makeThumbnail(of: image, in: folders[1], with: manager) }
            }
            for _ in 0..<4 { startNext() }
            for await isMade in group {
                startNext()
                (finished, failed) = (finished + 1, failed + (isMade ? 0 : 1))
                showBar(Double(finished) / Double(images.count))
            }
        }
        print("\n\(finished - failed) thumbnails, \(failed) failures")
    }

    private static func makeThumbnail(of file: URL, in folder: URL, with manager: ImageManager) async -> Bool {
        let context = ImageContext { $0.thumbnail = .fit(180, 120) }
        guard let image = try? await manager.load(file, context: context).image else { return false }
        let thumbnail = folder.appending(path: file.lastPathComponent)
        return (try? manager.coders.encode(image, context: context).write(to: thumbnail)) != nil
    }

    private static func showBar(_ fraction: Double) {
        let filled = String(repeating: "#", count: Int(fraction * 40))
        print("\r[\(filled.padding(toLength: 40, withPad: ".", startingAt: 0))]", terminator: "")
        fflush(nil)
    }
}
