import DarkroomCore
import DarkroomPlatform

/// The part of a file before the first scan.
struct JPEGHeader {
    /// The size, colour model, orientation and profile.
    let info: ImageInfo

    /// Whether there is a profile with missing or inconsistent parts.
    let hasBrokenProfile: Bool

    /// The height, if it is not in the frame header.
    let lateHeight: JPEGLateHeight?

    /// Parses the header of `request.data`, which need not contain more than the header.
    init(_ request: InfoRequest) throws(ImageError) {
        var segments = try JPEGSegments(request)
        var frame: ImageInfo?
        var heightOffset = 0
        var exif: Data?
        var profile = ICCParts()
        var metadata = EmbeddedMetadata()
        while let segment = try segments.next() {
            switch segment.marker {
            case 0xC4, 0xC8, 0xCC: break  // tables that may precede the frame
            case 0xC0...0xCF where frame == nil:
                frame = try Self.frame(segment)
                heightOffset = segment.body.startIndex + 1 - request.data.startIndex
            case 0xE1 where exif == nil && segment.body.starts(with: Array("Exif\0\0".utf8)): exif = segment.body
            case 0xE2: profile.append(segment.body)
            default: metadata.read(segment, limits: request.limits)
            }
        }
        guard var info = frame else { throw ImageError(.corrupt, .decode, "the JPEG file has no frame header") }
        let isLate = info.storedSize.height == 0
        lateHeight = isLate ? try JPEGLateHeight(after: segments, in: request, offset: heightOffset) : nil
        if let lateHeight { info.storedSize.height = lateHeight.height }
        info.exif = exif.map(Exif.init)
        info.orientation = info.exif?.orientation ?? .up
        let joined = profile.joined
        info.iccProfile = joined
        metadata.complete(&info)
        self.info = info
        hasBrokenProfile = joined == nil && profile.hasParts
    }

    /// Parses the size and colour model of a start-of-frame segment (ITU-T T.81, B.2.2).
    private static func frame(_ segment: JPEGSegment) throws(ImageError) -> ImageInfo {
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(segment.marker) else {
            throw ImageError(.unsupported, .decode, "lossless and hierarchical JPEG files are not supported")
        }
        let bytes = Array(segment.body.prefix(6).map(Int.init))
        guard bytes.count == 6 else {
            throw ImageError(.corrupt, .decode, "the frame header of the JPEG file is truncated")
        }
        guard bytes[0] == 8 || bytes[0] == 12 && JPEGCoder.decodes12Bits else { throw .unsupported(bits: bytes[0]) }
        let size = PixelSize(width: bytes[3] << 8 + bytes[4], height: bytes[1] << 8 + bytes[2])
        guard size.width > 0 else {
            throw ImageError(.corrupt, .decode, "the JPEG file has an invalid size of \(size) pixels")
        }
        var info = ImageInfo(format: .jpeg, storedSize: size)
        info.bitsPerChannel = bytes[0]
        info.colorModel = try colorModel(componentCount: bytes[5])
        return info
    }

    private static func colorModel(componentCount: Int) throws(ImageError) -> ImageInfo.ColorModel {
        switch componentCount {
        case 1: return .gray
        case 3: return .rgb
        case 4: return .cmyk
        default:
            throw ImageError(.unsupported, .decode, "JPEG files with \(componentCount) components are not supported")
        }
    }
}

extension ImageError {
    fileprivate static func unsupported(bits: Int) -> ImageError {
        let names = JPEGCoder.libraryVersions.map { "\($0.key) \($0.value)" }.joined()
        let reason = bits == 12 ? "require libjpeg-turbo 3.0, and this is \(names)" : "are not supported"
        return ImageError(.unsupported, .decode, "JPEG files with \(bits) bits per channel \(reason)")
    }
}
