public import DarkroomCore

private enum CompressionLevelKey: ImageContextKey {
    static var defaultValue: Int { 3 }
    // It changes files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: Int) -> String? { nil }
}

extension ImageContext {
    /// How hard PNG files are compressed, from 0 (not at all) to 9; 3 unless set. Values beyond count as the nearest.
    public var pngCompressionLevel: Int {
        get { self[CompressionLevelKey.self] }
        set { self[CompressionLevelKey.self] = min(max(newValue, 0), 9) }
    }
}
