import DarkroomCore
import FoundationEssentials
import TestSupport

/// Writes animated PNGs byte by byte, valid or invalid, with uncompressed pixels.
struct AnimatedPNGBuilder {
    struct Frame {
        var pixels: Bitmap
        var x = 0
        var y = 0
        var delay: (UInt16, UInt16) = (1, 10)
        var disposal: UInt8 = 0
        var blending: UInt8 = 0
    }

    var canvas: PixelSize
    var hasAlpha = true
    var loopCount: UInt32 = 0
    var frames: [Frame]
    /// The default image of a file in which it is not a frame.
    var picture: Bitmap?
    /// The frame count in `acTL`; `nil` for the actual one.
    var declaredFrameCount: UInt32?
    /// The maximum number of bytes of pixels per chunk.
    var chunkByteCount = 100
    /// Chunks between the header and the pixels.
    var extra: [Data] = []

    var data: Data { chunks.reduce(Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8), +) }

    var chunks: [Data] {
        var header = Data((UInt32(canvas.width).bytes + UInt32(canvas.height).bytes))
        header += [8, hasAlpha ? 6 : 2, 0, 0, 0]
        var chunks = [Self.chunk("IHDR", header)] + extra
        let frameCount = declaredFrameCount ?? UInt32(frames.count)
        chunks.append(Self.chunk("acTL", Data(frameCount.bytes + loopCount.bytes)))
        if let picture { chunks += parts(of: picture).map { Self.chunk("IDAT", $0) } }
        var sequence: UInt32 = 0
        for (index, frame) in frames.enumerated() {
            chunks.append(control(frame, sequence))
            sequence += 1
            for part in parts(of: frame.pixels) {
                if index == 0, picture == nil {
                    chunks.append(Self.chunk("IDAT", part))
                } else {
                    chunks.append(Self.chunk("fdAT", Data(sequence.bytes) + part))
                    sequence += 1
                }
            }
        }
        return chunks + [Self.chunk("IEND", Data())]
    }

    static func chunk(_ name: String, _ body: Data) -> Data {
        let named = Data(name.utf8) + body
        return Data(UInt32(body.count).bytes) + named + Data(crc(named).bytes)
    }

    private func control(_ frame: Frame, _ sequence: UInt32) -> Data {
        let numbers = [
            sequence, UInt32(frame.pixels.size.width), UInt32(frame.pixels.size.height),
            UInt32(truncatingIfNeeded: frame.x),
            UInt32(truncatingIfNeeded: frame.y),
        ]
        let body =
            numbers.flatMap(\.bytes) + frame.delay.0.bytes + frame.delay.1.bytes + [frame.disposal, frame.blending]
        return Self.chunk("fcTL", Data(body))
    }

    private func parts(of bitmap: Bitmap) -> [Data] {
        var rows: [UInt8] = []
        let bytes = bitmap.bytes
        for y in 0..<bitmap.size.height {
            rows.append(0)
            for x in 0..<bitmap.size.width {
                let start = (y * bitmap.size.width + x) * 4
                rows += bytes[start..<(start + (hasAlpha ? 4 : 3))]
            }
        }
        let stream = Data(Self.stored(rows))
        return stride(from: 0, to: stream.count, by: chunkByteCount).map {
            Data(stream[$0..<min($0 + chunkByteCount, stream.count)])
        }
    }

    /// Returns a zlib stream (RFC 1950) of stored blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 60_000) {
            let block = bytes[start..<min(start + 60_000, bytes.count)]
            let count = UInt16(block.count)
            stream.append(start + block.count == bytes.count ? 1 : 0)
            stream += count.bytes.reversed() + (~count).bytes.reversed() + block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + (high << 16 | low).bytes
    }

    private static func crc(_ bytes: Data) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, most significant first.
    var bytes: [UInt8] { unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) } }
}
