import DarkroomPlatform

extension WorstCase {
    /// JPEGs, most of them of 8×8 grey pixels with a filler before the frame or within the scans.
    static let jpeg: [WorstCase] = jpegHeaders + jpegScans + jpegPixels

    private static var jpegHeaders: [WorstCase] {
        let units: [(String, [UInt8])] = [
            ("JPEG of empty segments", [0xFF, 0xE0, 0, 2]), ("JPEG of markers without segments", [0xFF, 0x01]),
            ("JPEG of fill bytes", [0xFF]), ("JPEG of stuffed zeros", [0xFF, 0]), ("JPEG of zeros", [0]),
            ("JPEG of restart markers", [0xFF, 0xD0]), ("JPEG of broken profile parts", JPEGParts.brokenProfilePart),
            ("JPEG of Exif without entries", JPEGParts.emptyExif), ("JPEG of tables", JPEGParts.quantization),
        ]
        let rest = Array(JPEGParts.baseline(8, 8).dropFirst(2))
        return units.map { name, unit in WorstCase(name, head: [0xFF, 0xD8], filledWith: unit, tail: rest) }
    }

    private static var jpegScans: [WorstCase] {
        let units: [(String, [UInt8])] = [
            ("JPEG of empty segments between scans", [0xFF, 0xE0, 0, 2]), ("JPEG of fill bytes between scans", [0xFF]),
            ("JPEG of tables between scans", JPEGParts.quantization),
            ("JPEG of empty scans", JPEGParts.firstScan + [0x7F]),
        ]
        return units.map { name, unit in
            WorstCase(name, head: JPEGParts.progressiveStart(8, 8), filledWith: unit, tail: JPEGParts.lastScan)
        }
    }

    private static var jpegPixels: [WorstCase] {
        let start = JPEGParts.baselineStart(64, 64)
        return [
            WorstCase("JPEG of fill bytes in a scan", head: start, filledWith: [0xFF], tail: [0x3F, 0xFF, 0xD9]),
            WorstCase("JPEG of restart markers in a scan", head: start, filledWith: [0xFF, 0xD0], tail: [0xFF, 0xD9]),
            WorstCase("JPEG of 9,000×9,000 blank pixels", isLarge: true) { _ in JPEGParts.blank(9_000) },
            WorstCase("JPEG of 8,000×8,000 blank pixels in 60 scans", isLarge: true) { _ in
                JPEGParts.blank(8_000, scanCount: 60)
            },
        ]
    }
}

/// The segments of grey JPEGs in which every code is a single zero bit.
private enum JPEGParts {
    /// A table of ones.
    static let quantization: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + Array(repeating: 1, count: 64)

    /// A part of a profile that is invalid when repeated, because the part number stays the same.
    static let brokenProfilePart: [UInt8] = [0xFF, 0xE2, 0, 16] + Array("ICC_PROFILE\0".utf8) + [1, 0]

    static let emptyExif: [UInt8] = [0xFF, 0xE1, 0, 8] + Array("Exif\0\0".utf8)

    /// The start of a scan of the first coefficients.
    static let firstScan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]

    /// The start of a scan of all coefficients.
    static let onlyScan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]

    /// A scan of the other coefficients of one block, and the end.
    static let lastScan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 63, 0, 0x7F, 0xFF, 0xD9]

    /// Returns a square image of one scan with two bits per block, or of several scans that all contain the first
    /// coefficients, with one bit per block.
    static func blank(_ side: Int, scanCount: Int = 1) -> Data {
        let blockCount = (side + 7) / 8 * ((side + 7) / 8)
        let isProgressive = scanCount > 1
        var data = Data(start(isProgressive ? 0xC2 : 0xC0, side, side))
        for _ in 0..<scanCount {
            data += isProgressive ? firstScan : onlyScan
            data += Data(count: blockCount / (isProgressive ? 8 : 4) + 1)
        }
        return data + [0xFF, 0xD9]
    }

    static func baseline(_ width: Int, _ height: Int) -> [UInt8] { baselineStart(width, height) + [0x3F, 0xFF, 0xD9] }

    static func baselineStart(_ width: Int, _ height: Int) -> [UInt8] {
        start(0xC0, width, height) + onlyScan
    }

    /// Returns the start of a file of several scans, up to the first block of the first one.
    static func progressiveStart(_ width: Int, _ height: Int) -> [UInt8] {
        start(0xC2, width, height) + firstScan + [0x7F]
    }

    private static func start(_ frame: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        let sides = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
        let parts: [[UInt8]] = [
            [0xFF, 0xD8], quantization, [0xFF, frame, 0, 11, 8], sides, [1, 1, 0x11, 0], codes(0), codes(0x10),
        ]
        return parts.flatMap(\.self)
    }

    /// Returns a Huffman table with a single code of one bit, for the symbol 0.
    private static func codes(_ number: UInt8) -> [UInt8] {
        [0xFF, 0xC4, 0, 20, number, 1] + Array(repeating: 0, count: 16)
    }
}
