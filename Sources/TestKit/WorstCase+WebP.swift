import DarkroomPlatform

extension WorstCase {
    /// WebPs of endless chunks, and of many pixels in few bytes.
    static let webp: [WorstCase] = webpChunks + webpPixels

    private static var webpChunks: [WorstCase] {
        let units: [(String, Int, [UInt8])] = [
            ("WebP of empty chunks", 0, WebPParts.chunk("JUNK")), ("WebP of empty Exif", 8, WebPParts.chunk("EXIF")),
            ("WebP of empty profiles", 32, WebPParts.chunk("ICCP")),
            ("WebP of loop counts", 2, WebPParts.chunk("ANIM")),
            ("WebP of frames that are no animation", 0, WebPParts.frame), ("WebP of frames", 2, WebPParts.frame),
        ]
        return units.map { name, flags, unit in
            WorstCase(name) { byteCount in
                WebPParts.file(
                    flags: flags, chunks: Data(repeating: unit, byteCount: byteCount - 100) + WebPParts.pixels)
            }
        }
    }

    private static var webpPixels: [WorstCase] {
        [
            WorstCase("lossless WebP of zeros", isLarge: true) { byteCount in
                WebPParts.lossless(8_000, 8_000, body: Data(count: byteCount))
            },
            WorstCase("lossless WebP of ones", isLarge: true) { byteCount in
                WebPParts.lossless(8_000, 8_000, body: Data(repeating: [0xFF], byteCount: byteCount))
            },
            WorstCase("WebP of 9,000×9,000 blank pixels", isLarge: true) { byteCount in
                WebPParts.lossy(9_000, 9_000, body: Data(count: max(byteCount, 1 << 20)))
            },
        ]
    }
}

/// The chunks of WebP files.
private enum WebPParts {
    /// A lossless chunk of one pixel.
    static let pixels: [UInt8] = chunk(
        "VP8L", [0x2F, 0, 0, 0, 0, 0x07, 0x10, 0xFD, 0x8F, 0xFE, 0x07, 0x22, 0xA2, 0xFF, 0x01])

    /// A frame of ``pixels``.
    static let frame: [UInt8] = chunk("ANMF", Array(repeating: 0, count: 12) + [100, 0, 0, 0] + pixels)

    static func chunk(_ name: String, _ body: [UInt8] = []) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: body.count % 2)
        return Array(name.utf8) + bytes(of: body.count, count: 4) + body + padding
    }

    /// Returns a file of one pixel with these flags and chunks.
    static func file(flags: Int, chunks: Data) -> Data {
        let canvas: [UInt8] = [UInt8(flags), 0, 0, 0, 0, 0, 0, 0, 0, 0]
        return file(Data(chunk("VP8X", canvas)) + chunks)
    }

    static func lossless(_ width: Int, _ height: Int, body: Data) -> Data {
        let header: [UInt8] = [0x2F] + bytes(of: (width - 1) | (height - 1) << 14, count: 4)
        return file(chunk("VP8L", Data(header) + body))
    }

    /// Returns a lossy image with a first partition of half a MiB, followed by another one.
    static func lossy(_ width: Int, _ height: Int, body: Data) -> Data {
        let tag = 1 << 4 | (1 << 19 - 1) << 5
        let header: [[UInt8]] = [
            bytes(of: tag, count: 3), [0x9D, 1, 0x2A], bytes(of: width, count: 2), bytes(of: height, count: 2),
        ]
        return file(chunk("VP8 ", Data(header.flatMap(\.self)) + body))
    }

    private static func file(_ chunks: Data) -> Data {
        var data = Data("RIFF".utf8)
        data += bytes(of: chunks.count + 4, count: 4)
        data += Data("WEBP".utf8)
        return data + chunks
    }

    private static func chunk(_ name: String, _ body: Data) -> Data {
        var data = Data(name.utf8)
        data += bytes(of: body.count, count: 4)
        data += body
        return data + Data(count: body.count % 2)
    }

    private static func bytes(of number: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
