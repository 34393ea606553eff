import DarkroomCore

extension Bitmap {
    /// 32 hexadecimal digits that stand for the size and all bytes: 64-bit FNV-1a over the bytes from the first to the last,
    /// and from the last to the first.
    ///
    /// It tells pictures of an app apart; it is no proof against somebody who looks for two that are alike.
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

/// The hash of Fowler, Noll and Vo.
private struct FNV1a: CustomStringConvertible {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    var description: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
