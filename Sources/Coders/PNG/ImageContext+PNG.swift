public import DarkroomCore

private enum CompressionLevelKey: ImageContextKey {
    static var defaultValue: Int { 3 }
    static func effect(of value: Int) -> ContextEffect {
        .file(value == defaultValue ? nil : "CompressionLevel(\(value))")
    }
}

extension ImageContext {
    /// The compression level of encoded PNG files, from 0 (none) to 9. The default is 3. Any other value is an
    /// error of kind `unsupported` when a PNG file is encoded.
    public var pngCompressionLevel: Int {
        get { self[CompressionLevelKey.self] }
        set { self[CompressionLevelKey.self] = newValue }
    }
}
