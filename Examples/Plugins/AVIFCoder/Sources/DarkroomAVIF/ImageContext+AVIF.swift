public import DarkroomCore

private enum SpeedKey: ImageContextKey {
    static var defaultValue: Int { 6 }
    // It changes files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: Int) -> String? { nil }
}

extension ImageContext {
    /// How fast AVIFs are written, from 0 for small to 10 for fast; 6 unless set.
    public var avifSpeed: Int {
        get { self[SpeedKey.self] }
        set { self[SpeedKey.self] = newValue }
    }
}
