public import DarkroomCore

private enum OptionsKey: ImageContextKey {
    static var defaultValue: WebPOptions { WebPOptions() }
    // They change files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: WebPOptions) -> String? { nil }
}

extension ImageContext {
    /// How WebPs are written.
    public var webPOptions: WebPOptions {
        get { self[OptionsKey.self] }
        set { self[OptionsKey.self] = newValue }
    }

    /// Whether WebPs are written without loss; `quality` then has no meaning. It is a field of `webPOptions`.
    public var webPLossless: Bool {
        get { webPOptions.lossless }
        set { webPOptions.lossless = newValue }
    }

    /// How hard libwebp works to write small files, from 0 for fast to 6 for small; a field of `webPOptions`.
    public var webPMethod: Int {
        get { webPOptions.method }
        set { webPOptions.method = newValue }
    }
}
