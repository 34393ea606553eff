import DarkroomPlatform

extension WorstCase {
    /// GIFs of endless blocks, and of codes without pixels.
    static let gif: [WorstCase] = gifBlocks + gifCodes

    private static var gifBlocks: [WorstCase] {
        let units: [(String, [UInt8])] = [
            ("GIF of empty extensions", [0x21, 0xFE, 0]), ("GIF of empty controls", [0x21, 0xF9, 0]),
            ("GIF of controls", [0x21, 0xF9, 4, 0, 10, 0, 0, 0]), ("GIF of loop counts", GIFParts.loopCount),
            ("GIF of frames without pixels", GIFParts.descriptor(0, 0) + [0]),
            ("GIF of frames without data", GIFParts.descriptor(1, 1) + [0]),
            ("GIF of frames with local colour tables", GIFParts.colorfulFrame),
        ]
        return units.map { name, unit in
            WorstCase(name, head: GIFParts.start, filledWith: unit, tail: GIFParts.frame + [0x3B])
        }
    }

    private static var gifCodes: [WorstCase] {
        let start = GIFParts.start + GIFParts.descriptor(256, 256)
        let clearCodes: [UInt8] = [255] + (0..<85).flatMap { _ -> [UInt8] in [0x24, 0x49, 0x92] }
        return [
            WorstCase(
                "GIF of a comment byte by byte", head: GIFParts.start + [0x21, 0xFE], filledWith: [1, 0x41],
                tail: [0] + GIFParts.frame + [0x3B]),
            WorstCase("GIF of clear codes", head: start, filledWith: clearCodes, tail: [0, 0x3B]),
            WorstCase(
                "GIF of clear codes byte by byte", head: start, filledWith: [1, 0x24, 1, 0x49, 1, 0x92],
                tail: [0, 0x3B]),
        ]
    }
}

/// The blocks of two-colour GIFs.
private enum GIFParts {
    static let start: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]

    static let loopCount: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]

    /// A frame of one pixel with 256 colours.
    static let colorfulFrame: [UInt8] =
        [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x87] + Array(repeating: 7, count: 768) + [2, 2, 0x4C, 1, 0]

    /// A frame of one pixel: the codes clear, 0, and end.
    static let frame: [UInt8] = descriptor(1, 1) + [2, 0x44, 1, 0]

    static func descriptor(_ width: Int, _ height: Int) -> [UInt8] {
        let sides = [width & 255, width >> 8, height & 255, height >> 8].map { UInt8($0) }
        return [0x2C, 0, 0, 0, 0] + sides + [0, 2]
    }
}
