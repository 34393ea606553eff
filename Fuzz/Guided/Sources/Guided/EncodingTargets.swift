import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomWebP
import FoundationEssentials

extension FuzzTarget {
    /// Images of up to 40×40 pixels, encoded with any options and decoded again.
    static let encoders: [FuzzTarget] = [ImageFormat.png, .jpeg, .gif, .webp].map { (format: ImageFormat) in
        FuzzTarget("\(format)-encoding") { input in
            var choices = input.choices
            let image = try image(input, &choices)
            let context = context(&choices)
            let data = try registry.encode(image, as: format, context: context)
            let decoded = try readBack(data)
            demand(decoded.size == image.size, "\(image.size) became \(decoded.size)")
            let isExact = format == .png && context.pngColorCount == nil && context.encodedByteLimit == nil
            if isExact { demand(decoded.bitmap == image.bitmap, "PNG changed pixels") }
        }
    }

    /// An encoded file that the coder does not read is a broken rule, whatever the error.
    private static func readBack(_ data: Data) throws -> Image {
        do {
            return try registry.decode(data, context: ImageContext())
        } catch {
            fatalError("broken rule: an encoded file is not read: \(error)")
        }
    }

    private static func image(_ input: FuzzedBytes, _ choices: inout FuzzedChoices) throws -> Image {
        let (width, height) = (choices.next(below: 40) + 1, choices.next(below: 40) + 1)
        let (hasAlpha, bytes) = (choices.flag(), input.bytes)
        let bitmap = try Bitmap(PixelSize(width, height), hasAlpha: hasAlpha) { pixels in
            for index in pixels.indices where !bytes.isEmpty {
                pixels[index] = index % 4 == 3 && !hasAlpha ? 255 : bytes[index % bytes.count]
            }
            // Transparent pixels have no colour.
            for start in stride(from: 0, to: pixels.count, by: 4) where pixels[start + 3] == 0 {
                for index in start..<start + 3 { pixels[index] = 0 }
            }
        }
        return Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    private static func context(_ choices: inout FuzzedChoices) -> ImageContext {
        ImageContext {
            if choices.flag() { $0.quality = Double(choices.next(below: 101)) / 100 }
            if choices.flag() { $0.pngColorCount = choices.next(below: 255) + 2 }
            if choices.flag() { $0.gifColorCount = choices.next(below: 255) + 2 }
            if choices.next(below: 8) == 0 { $0.encodedByteLimit = choices.next(below: 4096) + 1 }
            $0.background = .white
        }
    }
}
