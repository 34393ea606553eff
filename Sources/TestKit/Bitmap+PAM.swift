public import DarkroomCore
public import DarkroomPlatform

extension Bitmap {
    /// Creates a bitmap from a PAM file with 8 bits per channel, the reference of a test that another program made.
    ///
    /// ImageMagick writes one with `magick cat.tga -depth 8 cat.tga.pam`. Its header states the size and whether there is
    /// alpha, which raw pixels do not.
    public init(pam data: Data) throws {
        let file = try PAMFile([UInt8](data))
        try self.init(file.size, bytes: file.pixels, hasAlpha: file.hasAlpha)
    }
}

/// The parts of a PAM file: a header of lines with a name and a value, which `ENDHDR` ends, then the samples.
private struct PAMFile {
    let size: PixelSize
    let hasAlpha: Bool
    let pixels: [UInt8]

    init(_ bytes: [UInt8]) throws {
        var (fields, start) = ([String: Int](), 0)
        var line = ""
        repeat {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
                throw ImageError(.corrupt, .decode, "the reference is not a PAM file with a complete header")
            }
            line = String(decoding: bytes[start..<end], as: UTF8.self)
            start = end + 1
            let words = line.split(separator: " ")
            if words.count == 2, let value = Int(words[1]) { fields[String(words[0])] = value }
        } while line != "ENDHDR"
        let (size, depth) = (PixelSize(fields["WIDTH"] ?? 0, fields["HEIGHT"] ?? 0), fields["DEPTH"] ?? 0)
        let samples = bytes[start...]
        guard bytes.starts(with: "P7\n".utf8), fields["MAXVAL"] == 255, (1...4).contains(depth),
            samples.count == (size.byteCount ?? 0) / 4 * depth
        else {
            throw ImageError(.unsupported, .decode, "the reference is not a complete PAM file with 8 bits per channel")
        }
        self.size = size
        hasAlpha = depth % 2 == 0
        pixels = stride(from: samples.startIndex, to: samples.endIndex, by: depth).flatMap { place in
            let pixel = samples[place..<(place + depth)]
            let alpha = depth % 2 == 0 ? pixel[place + depth - 1] : 255
            return depth < 3
                ? [pixel[place], pixel[place], pixel[place], alpha]
                : [pixel[place], pixel[place + 1], pixel[place + 2], alpha]
        }
    }
}
