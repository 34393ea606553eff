import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes a bitmap: 24 bits per pixel, or 32 with alpha. With alpha or a profile it has the largest header, of 124 bytes.
struct BMPWriter {
    private let request: EncodeRequest
    private let bitmap: Bitmap
    private let profile: Data
    private let headerByteCount: Int
    private let rowByteCount: Int
    private let pixelByteCount: Int

    /// Prepares the file. Throws if it would be larger than the format or the limits allow.
    init(_ request: EncodeRequest) throws {
        self.request = request
        bitmap = try request.still()
        profile = request.iccProfile ?? Data()
        headerByteCount = bitmap.hasAlpha || !profile.isEmpty ? 124 : 40
        rowByteCount = (bitmap.size.width * (bitmap.hasAlpha ? 32 : 24) + 31) / 32 * 4
        pixelByteCount = rowByteCount * bitmap.size.height
        let byteCount = BMPHeader.fileHeaderByteCount + headerByteCount + pixelByteCount + profile.count
        try request.check(outputByteCount: byteCount)
        guard byteCount <= Int32.max else {
            throw ImageError(.unsupported, .encode, "a bitmap cannot be \(bitmap.size) pixels large")
        }
    }

    /// Returns the file.
    func file() throws -> Data {
        var bytes = fileHeader + header
        bytes.reserveCapacity(bytes.count + pixelByteCount + profile.count)
        try bitmap.withPixels { pixels in
            for y in (0..<bitmap.size.height).reversed() {
                try request.checkCancellation()
                append(pixels.extracting((y * bitmap.size.width * 4)..<((y + 1) * bitmap.size.width * 4)), to: &bytes)
            }
        }
        return Data(bytes) + profile
    }

    private var fileHeader: [UInt8] {
        var bytes = Array("BM".utf8)
        let start = BMPHeader.fileHeaderByteCount + headerByteCount
        bytes.append(start + pixelByteCount + profile.count, byteCount: 4)
        bytes.append(0, byteCount: 4)
        bytes.append(start, byteCount: 4)
        return bytes
    }

    private var header: [UInt8] {
        var bytes: [UInt8] = []
        let (size, bits) = (bitmap.size, bitmap.hasAlpha ? 32 : 24)
        for (number, byteCount) in [(headerByteCount, 4), (size.width, 4), (size.height, 4), (1, 2), (bits, 2)] {
            bytes.append(number, byteCount: byteCount)
        }
        bytes.append(bitmap.hasAlpha ? 3 : 0, byteCount: 4)
        bytes.append(pixelByteCount, byteCount: 4)
        // 72 dots per inch, and no palette.
        for number in [2_835, 2_835, 0, 0] { bytes.append(number, byteCount: 4) }
        guard headerByteCount > 40 else { return bytes }
        for mask in bitmap.hasAlpha ? [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000] : [0, 0, 0, 0] {
            bytes.append(mask, byteCount: 4)
        }
        // The letters `MBED` or `sRGB`, and the primaries and curves, which they leave unused.
        bytes.append(profile.isEmpty ? 0x7352_4742 : 0x4D42_4544, byteCount: 4)
        bytes += [UInt8](repeating: 0, count: 48)
        // The intent for photographs, and the profile.
        for number in [4, profile.isEmpty ? 0 : headerByteCount + pixelByteCount, profile.count, 0] {
            bytes.append(number, byteCount: 4)
        }
        return bytes
    }

    private func append(_ row: Span<UInt8>, to bytes: inout [UInt8]) {
        let start = bytes.count
        for place in stride(from: 0, to: row.count, by: 4) {
            bytes.append(row[place + 2])
            bytes.append(row[place + 1])
            bytes.append(row[place])
            if bitmap.hasAlpha { bytes.append(row[place + 3]) }
        }
        for _ in (bytes.count - start)..<rowByteCount { bytes.append(0) }
    }
}
