public import DarkroomCore

/// Blends a colour with an image, including its transparent areas.
public struct Tint: ImageTransformer {
    private let color: Color
    private let mode: BlendMode

    /// Creates a tint with `color`. The default mode gives every visible pixel the colour and keeps the pixel's alpha.
    public init(_ color: Color, mode: BlendMode = .sourceIn) {
        self.color = color
        self.mode = mode
    }

    /// The colour and mode, such as `Tint(#ff0000ff,18)`.
    public var identifier: String { "Tint(\(color),\(mode.rawValue))" }

    /// Returns the tinted image; unchanged if the colour is fully transparent.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        guard color.alpha > 0 else { return bitmap }
        var table = TintTable(color, mode: mode)
        let alphas = bitmap.hasAlpha ? 0...255 : 255...255
        let hasAlpha = alphas.contains { table.alpha(on: $0) < 255 }
        if let blending = HueBlending(mode, color: color) {
            return try bitmap.mapBlocks(hasAlpha: hasAlpha, for: request) { blending.mixed(on: $0) }
        }
        return try unsafe bitmap.mapRows(hasAlpha: hasAlpha, for: request) { unsafe table.tint(from: $0, to: $1) }
    }
}

extension ImageTransformer where Self == Tint {
    /// Blends `color` with the image.
    public static func tint(_ color: Color, mode: BlendMode = .sourceIn) -> Tint { Tint(color, mode: mode) }
}
