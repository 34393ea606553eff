public import DarkroomCore

private enum SpeedKey: CoderContextKey {
    static var defaultValue: Int { 6 }
    static func effect(of value: Int) -> ContextEffect { .file(value == defaultValue ? nil : "AVIFSpeed(\(value))") }
}

private enum FullChromaKey: CoderContextKey {
    static var defaultValue: Bool? { nil }
    static func effect(of value: Bool?) -> ContextEffect { .file(value.map { "AVIFFullChroma(\($0 ? 1 : 0))" }) }
}

extension ImageContext {
    /// The speed of encoding AVIF, from 0 for small files to 10 for fast encoding; 6 by default.
    public var avifSpeed: Int {
        get { self[SpeedKey.self] }
        set { self[SpeedKey.self] = newValue }
    }

    /// Whether encoded AVIF has colours at full resolution (4:4:4), as for text and drawings, or at half of it in each
    /// direction (4:2:0). `nil`, the default, is full resolution from a quality of 0.9 up, as in JPEG: less is never visually
    /// lossless. A lossless file always has it, and a file with an `encoderQuality` only if this is `true`.
    public var avifKeepsFullChroma: Bool? {
        get { self[FullChromaKey.self] }
        set { self[FullChromaKey.self] = newValue }
    }
}

extension AVIFCoder {
    /// The options of AVIF files.
    public var contextKeys: [any CoderContextKey.Type] { [SpeedKey.self, FullChromaKey.self] }
}
