import DarkroomCore
import DarkroomPlatform

/// A WebP file assembled from chunks.
struct WebPFile {
    /// The chunks of the pixels, or of the animation.
    var body = Data()

    /// Whether any of them has alpha.
    var hasAlpha = false

    /// Whether `body` is an animation.
    var isAnimated = false

    /// The profile to write before `body`.
    var iccProfile: Data?

    /// The Exif to write after `body`.
    var exif: Data?

    /// The XMP packet to write at the end.
    var xmp: Data?

    /// Whether there is anything besides the pixels.
    var hasMetadata: Bool { iccProfile != nil || exif != nil || xmp != nil }

    /// The size of the header of a file that has nothing but opaque pixels.
    static let minimumOverhead = 12

    /// The size of the file without `body`.
    var overhead: Int {
        let chunks = [iccProfile, exif, xmp].compactMap(\.self)
        return Self.minimumOverhead + 18 + chunks.reduce(0) { $0 + 8 + $1.count + $1.count % 2 }
    }

    /// Returns the file of an image with the size `canvas`.
    func bytes(canvas: PixelSize) throws(ImageError) -> Data {
        var flags: WebPFlags = []
        if isAnimated { flags.insert(.animation) }
        if hasAlpha { flags.insert(.alpha) }
        if iccProfile != nil { flags.insert(.profile) }
        if exif != nil { flags.insert(.exif) }
        if xmp != nil { flags.insert(.xmp) }
        let byteCount = body.count + overhead
        guard let size = UInt32(exactly: byteCount - 8), size < UInt32.max - 1 else {
            throw ImageError(.unsupported, .encode, "a WebP cannot have \(byteCount) bytes, only less than 4 GiB")
        }
        var data = Data(capacity: byteCount)
        data.append(contentsOf: Array("RIFF".utf8))
        data.append(littleEndian: Int(size), byteCount: 4)
        data.append(contentsOf: Array("WEBP".utf8))
        var header = Data([flags.rawValue, 0, 0, 0])
        header.append(littleEndian: canvas.width - 1, byteCount: 3)
        header.append(littleEndian: canvas.height - 1, byteCount: 3)
        data.append(chunk: "VP8X", payload: header)
        if let iccProfile { data.append(chunk: "ICCP", payload: iccProfile) }
        data.append(body)
        if let exif { data.append(chunk: "EXIF", payload: exif) }
        if let xmp { data.append(chunk: "XMP ", payload: xmp) }
        return data
    }
}

extension Data {
    /// Appends a chunk, whose payload must be smaller than 4 GiB.
    mutating func append(chunk name: String, payload: Data) {
        append(contentsOf: Array(name.utf8))
        append(littleEndian: payload.count, byteCount: 4)
        append(payload)
        if payload.count % 2 == 1 { append(0) }
    }

    /// Appends the lowest bytes of `number` in little-endian order.
    mutating func append(littleEndian number: Int, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
