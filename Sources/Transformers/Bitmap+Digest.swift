import DarkroomCore

extension Bitmap {
    /// A hash of the size and all bytes in 32 hexadecimal digits: 64-bit FNV-1a over the bytes in forward and in
    /// reverse order.
    ///
    /// It distinguishes the images of an app. It is not collision-resistant against an attacker.
    var digest: String {
        var (forwards, backwards) = (FNV1a(), FNV1a())
        for byte in Array("\(size)".utf8) {
            forwards.add(byte)
            backwards.add(byte)
        }
        withPixels { pixels in
            for index in pixels.indices { forwards.add(pixels[index]) }
            for index in pixels.indices.reversed() { backwards.add(pixels[index]) }
        }
        return forwards.description + backwards.description
    }
}

/// The Fowler–Noll–Vo hash, 64 bits, variant 1a.
private struct FNV1a: CustomStringConvertible {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    var description: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
