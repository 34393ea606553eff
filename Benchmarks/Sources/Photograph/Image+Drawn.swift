import DarkroomCore

extension Image {
    /// Creates reproducible gradients with noise.
    static func drawn(_ size: PixelSize) throws -> Image {
        var noise = Noise(state: 2)
        let bitmap = try Bitmap(size, hasAlpha: false) { pixels in
            for index in 0..<(size.width * size.height) {
                let (x, y) = (index % size.width, index / size.width)
                let grain = noise.next()
                pixels[index * 4] = UInt8(x * 223 / size.width + grain)
                pixels[index * 4 + 1] = UInt8(y * 223 / size.height + grain)
                pixels[index * 4 + 2] = UInt8((x + y) * 223 / (size.width + size.height) + grain)
                pixels[index * 4 + 3] = 255
            }
        }
        return Image(info: ImageInfo(format: .png, storedSize: size), bitmap: bitmap)
    }
}

/// Pseudo-random numbers from 0 to 31 (xorshift).
private struct Noise {
    var state: UInt32

    mutating func next() -> Int {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Int(state >> 27)
    }
}
