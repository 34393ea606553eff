import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The header of a file: `qoif`, width and height, channels, colour space.
struct QOIHeader {
    /// The size of the header in bytes.
    static let byteCount = 14

    let size: PixelSize
    let hasAlpha: Bool

    /// Whether all channels are linear instead of sRGB.
    private(set) var isLinear = false

    /// Creates the header of an image to encode.
    init(_ size: PixelSize, hasAlpha: Bool) throws(ImageError) {
        guard UInt32(exactly: size.width) != nil, UInt32(exactly: size.height) != nil else {
            throw ImageError(.unsupported, .encode, "a QOI cannot be \(size) pixels large")
        }
        self.size = size
        self.hasAlpha = hasAlpha
    }

    /// Parses the header of a file.
    init(_ data: Data) throws(ImageError) {
        let bytes = [UInt8](data.prefix(Self.byteCount))
        guard bytes.prefix(4).elementsEqual("qoif".utf8.prefix(bytes.count)) else {
            throw ImageError(.corrupt, .decode, "the file does not begin with the signature of QOI")
        }
        guard bytes.count == Self.byteCount else {
            throw ImageError(.incomplete, .decode, "the QOI ends within its header")
        }
        guard 3...4 ~= bytes[12], 0...1 ~= bytes[13] else {
            throw ImageError(
                .corrupt, .decode, "the QOI declares \(bytes[12]) channels and the colour space \(bytes[13])")
        }
        func side(at index: Int) -> Int { bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) } }
        size = PixelSize(side(at: 4), side(at: 8))
        hasAlpha = bytes[12] == 4
        isLinear = bytes[13] == 1
    }

    /// The header in Darkroom's form. Darkroom converts linear colours if a colour converter is installed.
    var info: ImageInfo {
        var info = ImageInfo(format: .qoi, storedSize: size)
        info.hasAlpha = hasAlpha
        if isLinear { info.calibration = Calibration(exponent: 1) }
        return info
    }

    /// The encoded header.
    var bytes: [UInt8] {
        func bytes(of side: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
        return Array("qoif".utf8) + bytes(of: size.width) + bytes(of: size.height)
            + [hasAlpha ? 4 : 3, isLinear ? 1 : 0]
    }
}
