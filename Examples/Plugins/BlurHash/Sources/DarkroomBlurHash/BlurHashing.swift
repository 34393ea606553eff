public import DarkroomCore

/// Replaces an image by the rendering of its hash, for example as the background of a player.
public struct BlurHashing: ImageTransformer {
    private let columns, rows: Int

    /// Creates a transformer with these numbers of waves; counts outside 1 to 9 are clamped.
    public init(columns: Int = 4, rows: Int = 3) {
        self.columns = min(max(columns, 1), 9)
        self.rows = min(max(rows, 1), 9)
    }

    /// The identifier, such as `BlurHash(4,3)`.
    public var identifier: String { "BlurHash(\(columns),\(rows))" }

    /// Renders the hash at the size of the image.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try request.checkCancellation()
        let limits = request.context.limits
        let hash = try BlurHash(of: bitmap, columns: columns, rows: rows, limits: limits)
        // A small rendering contains all the detail that there is.
        let small = try hash.bitmap(Thumbnail.fit(64, 64).size(for: bitmap.size), limits: limits)
        return try small.resized(
            to: bitmap.size, limits: limits, checkCancellation: request.checkCancellation)
    }
}

extension ImageTransformer where Self == BlurHashing {
    /// Returns a transformer that renders the hash of an image.
    public static func blurHash(columns: Int = 4, rows: Int = 3) -> Self { BlurHashing(columns: columns, rows: rows) }
}
