public import DarkroomCore

private enum OptionsKey: CoderContextKey {
    static var defaultValue: WebPOptions { WebPOptions() }
    static func effect(of value: WebPOptions) -> ContextEffect { .file(value.encodingFragment) }
}

extension ImageContext {
    /// The options of WebP encoding.
    public var webPOptions: WebPOptions {
        get { self[OptionsKey.self] }
        set { self[OptionsKey.self] = newValue }
    }

    /// Whether WebPs are encoded losslessly, in which case `quality` is ignored. It is a property of `webPOptions`.
    public var writesLosslessWebP: Bool {
        get { webPOptions.isLossless }
        set { webPOptions.isLossless = newValue }
    }

    /// The effort of WebP encoding, from 0 (fast) to 6 (small). It is a property of `webPOptions`.
    public var webPMethod: Int {
        get { webPOptions.method }
        set { webPOptions.method = newValue }
    }
}

extension WebPCoder {
    /// The options of WebP files.
    public var contextKeys: [any CoderContextKey.Type] { [OptionsKey.self] }
}
