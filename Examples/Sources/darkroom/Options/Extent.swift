import ArgumentParser
import Console
import Darkroom

/// A width and a height, written `180x120`; both positive and finite.
struct Extent: ExpressibleByArgument {
    let width, height: Double

    init?(argument: String) {
        let sides = argument.fields(separatedBy: UInt8(ascii: "x")).map { Double($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        (width, height) = (sides[0], sides[1])
    }

    /// The size in whole pixels; `nil` when it has fractions.
    var pixelSize: PixelSize? {
        guard let width = Int(exactly: width), let height = Int(exactly: height) else { return nil }
        return PixelSize(width, height)
    }
}
