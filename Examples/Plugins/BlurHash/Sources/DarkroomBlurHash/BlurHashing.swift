public import DarkroomCore

/// Makes of a picture what its hash shows, such as for what is behind a player.
public struct BlurHashing: ImageTransformer {
    private let columns, rows: Int

    /// A transformer by hashes of so many waves; counts out of 1 to 9 become the nearest one.
    public init(columns: Int = 4, rows: Int = 3) {
        self.columns = min(max(columns, 1), 9)
        self.rows = min(max(rows, 1), 9)
    }

    /// `BlurHash(4,3)`.
    public var identifier: String { "BlurHash(\(columns),\(rows))" }

    /// The picture keeps its size.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try request.checkCancellation()
        let limits = request.context.limits
        let hash = try BlurHash(of: bitmap, columns: columns, rows: rows, limits: limits)
        // There are no details that few pixels would not have.
        let small = try hash.bitmap(Thumbnail.fit(64, 64).size(for: bitmap.size), limits: limits)
        return try small.resized(
            to: bitmap.size, limits: limits, checkCancellation: request.checkCancellation)
    }
}

extension ImageTransformer where Self == BlurHashing {
    /// What a picture's hash shows.
    public static func blurHash(columns: Int = 4, rows: Int = 3) -> Self { BlurHashing(columns: columns, rows: rows) }
}
