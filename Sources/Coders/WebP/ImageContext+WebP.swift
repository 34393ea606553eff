public import DarkroomCore

private enum LosslessKey: ImageContextKey {
    static var defaultValue: Bool { false }
    // It changes files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
}

private enum MethodKey: ImageContextKey {
    static var defaultValue: Int { 4 }
    static func cacheKeyFragment(for value: Int) -> String? { nil }
}

extension ImageContext {
    /// Whether WebPs are written without loss; `quality` then has no meaning.
    public var webPLossless: Bool {
        get { self[LosslessKey.self] }
        set { self[LosslessKey.self] = newValue }
    }

    /// How hard libwebp works to write small files, from 0 for fast to 6 for small; the default is 4.
    public var webPMethod: Int {
        get { self[MethodKey.self] }
        set { self[MethodKey.self] = newValue }
    }
}
