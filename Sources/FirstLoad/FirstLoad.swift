import DarkroomCore
import DarkroomFile
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows a picture in the terminal: `swift run first-load [FILE]`.
@main
enum FirstLoad {
    static func main() async throws {
        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(GIFCoder())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
            $0.install(WebPCoder())
        }
        let url = try CommandLine.arguments.dropFirst().first.map { URL(filePath: $0) } ?? samplePicture(manager.coders)
        let result = try await manager.load(url, context: ImageContext { $0.thumbnail = .fit(72, 48) })
        print(halfBlocks(of: result.image.bitmap))
        let (info, size) = (result.image.info, result.image.size)
        print("\(url.lastPathComponent): \(info.size) \(info.format), shown at \(size)")
    }

    /// A picture to show when there is none at hand: rings of colour, as a PNG file.
    private static func samplePicture(_ coders: CoderRegistry) throws -> URL {
        let side = 480
        let bitmap = try Bitmap(PixelSize(side, side), hasAlpha: false) { pixels in
            for index in 0..<(side * side) {
                let (x, y) = (index % side - side / 2, index / side - side / 2)
                let distance = x * x + y * y
                pixels[index * 4] = UInt8(truncatingIfNeeded: distance / 200)
                pixels[index * 4 + 1] = UInt8(truncatingIfNeeded: 128 + x / 2)
                pixels[index * 4 + 2] = UInt8(truncatingIfNeeded: 128 + y / 2)
                pixels[index * 4 + 3] = 255
            }
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let url = FileManager.default.temporaryDirectory.appending(path: "rings.png")
        try coders.encode(image, as: .png).write(to: url, options: .atomic)
        return url
    }

    /// Two rows of pixels in each line of text: the upper one in the foreground colour, the lower one behind it.
    private static func halfBlocks(of bitmap: Bitmap) -> String {
        func code(_ x: Int, _ y: Int, _ layer: Int) -> String {
            guard let color = bitmap.color(x: x, y: y) else { return "\u{1B}[\(layer + 1)m" }
            return "\u{1B}[\(layer);2;\(color.red);\(color.green);\(color.blue)m"
        }
        return stride(from: 0, to: bitmap.size.height, by: 2).map { y in
            (0..<bitmap.size.width).map { x in code(x, y, 38) + code(x, y + 1, 48) + "▀" }.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
