import DarkroomPlatform

extension WorstCase {
    /// PNGs of endless chunks, and of compressed data without pixels.
    static let png: [WorstCase] = pngChunks + pngFrames + pngStreams

    private static var pngChunks: [WorstCase] {
        let units: [(String, [UInt8])] = [
            ("PNG of empty text", PNGParts.chunk("teXt")), ("PNG of empty pixels", PNGParts.chunk("IDAT")),
            ("PNG of gammas", PNGParts.chunk("gAMA", [0, 0, 0xB1, 0x8F])),
            ("PNG of empty Exif", PNGParts.chunk("eXIf")),
            ("PNG of broken profiles", PNGParts.chunk("iCCP", [0x41, 0, 0, 0x78, 0x9C])),
            ("PNG of broken frames", PNGParts.chunk("fcTL")),
        ]
        let rest = PNGParts.chunk("IDAT") + PNGParts.chunk("IEND")
        return units.map { name, unit in WorstCase(name, head: PNGParts.start(8, 8), filledWith: unit, tail: rest) }
    }

    private static var pngFrames: [WorstCase] {
        [
            WorstCase("PNG of frames of one pixel") { byteCount in PNGParts.animation(byteCount, pixelsPerFrame: 1) },
            WorstCase("PNG of a frame of empty pixels") { byteCount in
                PNGParts.animation(byteCount, pixelsPerFrame: .max)
            },
            WorstCase("PNG of one long text") { byteCount in
                PNGParts.file(of: PNGParts.chunk("teXt", Array(repeating: 0x41, count: max(byteCount - 100, 1))))
            },
            WorstCase("PNG of a profile of empty blocks") { byteCount in
                let blocks = Data(repeating: PNGParts.emptyDynamicBlocks, byteCount: min(byteCount, 4_000_000) - 200)
                return PNGParts.file(of: PNGParts.chunk("iCCP", [0x41, 0, 0, 0x78, 1] + [UInt8](blocks)))
            },
        ]
    }

    private static var pngStreams: [WorstCase] {
        let units: [(String, [UInt8])] = [
            ("fixed", PNGParts.emptyFixedBlocks), ("dynamic", PNGParts.emptyDynamicBlocks),
            ("stored", [0, 0, 0, 0xFF, 0xFF]),
        ]
        return units.flatMap { kind, unit in
            [false, true].map { isInterlaced in
                WorstCase("PNG of empty \(kind) blocks\(isInterlaced ? ", interlaced" : "")") { byteCount in
                    PNGParts.stream(byteCount, of: unit, isInterlaced: isInterlaced)
                }
            }
        }
    }
}

/// The chunks of PNG files.
private enum PNGParts {
    static func chunk(_ name: String, _ body: [UInt8] = []) -> [UInt8] {
        let named = Array(name.utf8) + body
        return bytes(body.count) + named + bytes(Int(PNGChecksums.checksum(of: named)))
    }

    /// Returns the signature and the header of an RGB image.
    static func start(_ width: Int, _ height: Int, isInterlaced: Bool = false) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        let kind: [UInt8] = [8, 2, 0, 0, isInterlaced ? 1 : 0]
        return signature + chunk("IHDR", bytes(width) + bytes(height) + kind)
    }

    /// Returns an image with `chunk` before its pixels.
    static func file(of chunk: [UInt8]) -> Data { Data(start(8, 8) + chunk + PNGParts.chunk("IDAT")) }

    /// Returns an image whose compressed pixels repeat `unit`.
    static func stream(_ byteCount: Int, of unit: [UInt8], isInterlaced: Bool) -> Data {
        let blocks = Data(repeating: unit, byteCount: 1 << 16)
        var data = Data(start(1000, 1000, isInterlaced: isInterlaced))
        data += chunk("IDAT", [0x78, 1])
        let part = Data(chunk("IDAT", [UInt8](blocks)))
        while data.count < byteCount { data += part }
        return data
    }

    /// Returns an animation with up to `pixelsPerFrame` chunks of pixels per frame, all empty.
    static func animation(_ byteCount: Int, pixelsPerFrame: Int) -> Data {
        var data = Data(start(8, 8))
        data += chunk("acTL", bytes(Int(Int32.max)) + bytes(0))
        data += chunk("IDAT")
        var sequence = 0
        while data.count < byteCount {
            let control: [UInt8] = [sequence, 1, 1, 0, 0].flatMap(bytes)
            data += chunk("fcTL", control + [0, 1, 0, 10, 0, 0])
            sequence += 1
            var count = 0
            while count < pixelsPerFrame, data.count < byteCount {
                data += chunk("fdAT", bytes(sequence))
                sequence += 1
                count += 1
            }
        }
        return data
    }

    /// Blocks of fixed codes that contain only the code for their end.
    static var emptyFixedBlocks: [UInt8] {
        var bits = LowBitsFirst()
        bits.add(0b010, bitCount: 3)
        bits.add(0, bitCount: 7)
        return bits.bytesOfEight
    }

    /// Blocks of dynamic codes that contain only the codes and the one for their end.
    static var emptyDynamicBlocks: [UInt8] {
        var bits = LowBitsFirst()
        bits.add(0b100, bitCount: 3)
        // 257 literals, 1 distance, 18 lengths of lengths: those of the symbols 18, which repeats zeros, and 1.
        bits.add(0, bitCount: 10)
        bits.add(14, bitCount: 4)
        for symbol in 0..<18 { bits.add(symbol == 2 || symbol == 17 ? 1 : 0, bitCount: 3) }
        // 138 and 118 zeros, then the codes of the end and of a distance.
        bits.add(1 | 127 << 1, bitCount: 8)
        bits.add(1 | 107 << 1, bitCount: 8)
        bits.add(0, bitCount: 2)
        bits.add(0, bitCount: 1)
        return bits.bytesOfEight
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
