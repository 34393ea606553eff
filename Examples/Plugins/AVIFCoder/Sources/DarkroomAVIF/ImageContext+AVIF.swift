public import DarkroomCore

private enum SpeedKey: ImageContextKey {
    static var defaultValue: Int { 6 }
    // The speed changes encoded files, not the delivered pixels.
    static func cacheKeyFragment(for value: Int) -> String? { nil }
}

extension ImageContext {
    /// The speed of encoding AVIF, from 0 for small files to 10 for fast encoding; 6 by default.
    public var avifSpeed: Int {
        get { self[SpeedKey.self] }
        set { self[SpeedKey.self] = newValue }
    }
}
