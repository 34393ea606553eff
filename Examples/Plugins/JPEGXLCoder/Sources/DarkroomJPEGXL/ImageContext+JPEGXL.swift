public import DarkroomCore

private enum EffortKey: ImageContextKey {
    static var defaultValue: Int { 7 }
    // It changes files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: Int) -> String? { nil }
}

extension ImageContext {
    /// How hard libjxl works for small files, from 1 for fast to 9 for small; 7 unless set.
    public var jpegXLEffort: Int {
        get { self[EffortKey.self] }
        set { self[EffortKey.self] = newValue }
    }
}
