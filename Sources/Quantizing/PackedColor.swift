/// A colour with straight alpha in one word: red in the lowest byte, then green, blue and alpha.
package struct PackedColor: Hashable, Sendable {
    /// The channels. They are all 0 without opacity.
    package let bits: UInt32

    /// The only colour without opacity.
    package static let transparent = PackedColor(bits: 0)

    /// Creates the colour of `bits`, of which all without opacity are the same.
    @inline(__always)
    package init(bits: UInt32) { self.bits = bits >> 24 == 0 ? 0 : bits }

    /// Creates a colour.
    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.init(bits: UInt32(alpha) << 24 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red))
    }

    /// The lowest byte.
    package var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
    /// The second byte.
    package var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
    /// The third byte.
    package var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
    /// The highest byte.
    package var alpha: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }

    /// Whether nothing shows through.
    package var isOpaque: Bool { alpha == 255 }

    /// Whether the first three channels are equal.
    package var isGray: Bool { red == green && red == blue }
}
