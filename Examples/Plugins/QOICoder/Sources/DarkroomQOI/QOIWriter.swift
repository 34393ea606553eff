#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes one file pixel by pixel, as compactly as the reference encoder.
struct QOIWriter {
    private var bytes: [UInt8]
    private var previous = QOIPixel.beforeFirst
    private var seen = QOIPixelsSeen(repeating: .zero)
    /// The pending repetitions of the previous pixel.
    private var run = 0

    /// Creates a file that begins with `header`.
    init(_ header: QOIHeader) { bytes = header.bytes }

    /// Appends pixels of four bytes each.
    mutating func append(_ pixels: Span<UInt8>) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            append(QOIPixel(pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3]))
        }
    }

    /// Returns the file after all pixels have been appended.
    consuming func finish() -> Data {
        writeRun()
        return Data(bytes + [0, 0, 0, 0, 0, 0, 0, 1])
    }

    private mutating func append(_ pixel: QOIPixel) {
        guard pixel != previous else {
            run += 1
            if run == longestQOIRun { writeRun() }
            return
        }
        writeRun()
        write(pixel)
        seen[pixel.slot] = pixel
        previous = pixel
    }

    private mutating func writeRun() {
        if run > 0 { bytes.append(QOITag.run | UInt8(run - 1)) }
        run = 0
    }

    private mutating func write(_ pixel: QOIPixel) {
        guard seen[pixel.slot] != pixel else { return bytes.append(QOITag.index | UInt8(pixel.slot)) }
        guard pixel.w == previous.w else { return bytes += [QOITag.rgba, pixel.x, pixel.y, pixel.z, pixel.w] }
        // Offset, so that all small differences become small non-negative numbers.
        let near = pixel &- previous &+ 2
        if near.x < 4, near.y < 4, near.z < 4 {
            return bytes.append(QOITag.difference | near.x << 4 | near.y << 2 | near.z)
        }
        let green = pixel.y &- previous.y
        let (red, blue) = (pixel.x &- previous.x &- green &+ 8, pixel.z &- previous.z &- green &+ 8)
        if green &+ 32 < 64, red < 16, blue < 16 {
            bytes += [QOITag.luma | (green &+ 32), red << 4 | blue]
        } else {
            bytes += [QOITag.rgb, pixel.x, pixel.y, pixel.z]
        }
    }
}
