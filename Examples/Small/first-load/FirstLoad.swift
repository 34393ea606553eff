import DarkroomCore
import DarkroomFile
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP
import Foundation
import SmallExample

/// Shows an image in the terminal, using only the coders and the file loader.
///
///     swift run --package-path Examples first-load photo.jpg
@main
enum FirstLoad: SmallExample {
    static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 2 else { return print("usage: first-load IMAGE") }

        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(GIFCoder())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
            $0.install(WebPCoder())
        }
        let url = URL(filePath: arguments[1])
        let result = try await manager.load(url, context: ImageContext { $0.thumbnail = .fit(72, 48) })
        print(halfBlocks(of: result.image.bitmap))
        let (info, size) = (result.image.info, result.image.size)
        print("\(url.lastPathComponent): \(info.size) \(info.format), shown at \(size)")
    }

    /// Returns two rows of pixels per line of text: the upper one in the foreground colour, the lower one behind it.
    private static func halfBlocks(of bitmap: Bitmap) -> String {
        func code(x: Int, y: Int, layer: Int) -> String {
            guard let color = bitmap.color(x: x, y: y) else { return "\u{1B}[\(layer + 1)m" }
            return "\u{1B}[\(layer);2;\(color.red);\(color.green);\(color.blue)m"
        }
        return stride(from: 0, to: bitmap.size.height, by: 2).map { y in
            (0..<bitmap.size.width).map { x in code(x: x, y: y, layer: 38) + code(x: x, y: y + 1, layer: 48) + "▀" }
                .joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
