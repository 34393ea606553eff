public import DarkroomCore

private enum ProgressiveKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .file(value ? "Progressive(1)" : nil) }
}

extension ImageContext {
    /// Whether JPEG files are encoded progressively. The default is `false`, a single scan.
    ///
    /// Progressive files are a little smaller and can be previewed early, but take several times longer to encode and
    /// decode.
    public var writesProgressiveJPEG: Bool {
        get { self[ProgressiveKey.self] }
        set { self[ProgressiveKey.self] = newValue }
    }
}
