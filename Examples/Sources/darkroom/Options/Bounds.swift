import ArgumentParser
import Console
import Darkroom

/// The bounds of a picture: `180x120`, `180x` or `x120`, or `180` for a square; all sides positive and finite.
struct Bounds: ExpressibleByArgument {
    /// The sides; `nil` for one that follows from the other.
    private let width, height: Double?

    init?(argument: String) {
        let sides = argument.fields(separatedBy: UInt8(ascii: "x")).map { $0.isEmpty ? nil : Double($0) ?? 0 }
        let given = sides.compactMap(\.self)
        guard sides.count <= 2, !given.isEmpty, given.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        width = sides[0]
        height = sides[sides.count - 1]
    }

    /// Whether a side follows from the other.
    var isOpen: Bool { width == nil || height == nil }

    /// The bounds in whole pixels, an open side as 0; `nil` when they have fractions.
    var pixelSize: PixelSize? {
        guard let width = Int(exactly: width ?? 0), let height = Int(exactly: height ?? 0) else { return nil }
        return PixelSize(width, height)
    }

    /// Returns the thumbnail with these bounds. With an open side, it fits.
    func thumbnail(_ mode: Thumbnail.Mode, focus: Thumbnail.Focus, inLinearLight: Bool) -> Thumbnail {
        guard let width else { return .fit(height: height ?? 0, inLinearLight: inLinearLight) }
        guard let height else { return .fit(width: width, inLinearLight: inLinearLight) }
        return Thumbnail(width: width, height: height, mode: mode, focus: focus, inLinearLight: inLinearLight)
    }
}

/// The point at which a thumbnail has a gravity, spelled as in transforms.
struct GravityFocus: ExpressibleByArgument {
    let focus: Thumbnail.Focus

    init?(argument: String) {
        guard let focus = Thumbnail.Focus(argument, as: "gravity") else { return nil }
        self.focus = focus
    }

    static let allValueStrings = Gravity.allCases.map(\.rawValue)
}

/// The point around which a thumbnail is cropped, spelled as in transforms.
struct PointFocus: ExpressibleByArgument {
    let focus: Thumbnail.Focus

    init?(argument: String) {
        guard let focus = Thumbnail.Focus(argument.replacing(",", with: "x"), as: "focus") else { return nil }
        self.focus = focus
    }
}

extension Thumbnail.Focus {
    /// Creates the focus of the transform `thumbnail` whose argument `name` is `text`.
    fileprivate init?(_ text: String, as name: String) {
        let step = TransformNotation.Step("thumbnail", [.init("1x1"), .init("cover"), .init(text, name: name)])
        guard let focus = try? TransformNotation().transformer(for: step).decodingThumbnail?.focus else { return nil }
        self = focus
    }
}
