public import DarkroomCore

private enum ProgressiveKey: ImageContextKey {
    static var defaultValue: Bool { false }
    // It changes files that are written, not pixels that are delivered.
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
}

extension ImageContext {
    /// Whether JPEG files are written in several scans, so that the whole picture shows early; the default is one scan.
    ///
    /// Such files are a little smaller, and take a few times longer to write and to read.
    public var jpegProgressive: Bool {
        get { self[ProgressiveKey.self] }
        set { self[ProgressiveKey.self] = newValue }
    }
}
