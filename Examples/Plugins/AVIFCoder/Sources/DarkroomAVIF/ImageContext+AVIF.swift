public import DarkroomCore

private enum SpeedKey: ImageContextKey {
    static var defaultValue: Int { 6 }
    static func effect(of value: Int) -> ContextEffect { .file(value == defaultValue ? nil : "AVIFSpeed(\(value))") }
}

extension ImageContext {
    /// The speed of encoding AVIF, from 0 for small files to 10 for fast encoding; 6 by default.
    public var avifSpeed: Int {
        get { self[SpeedKey.self] }
        set { self[SpeedKey.self] = newValue }
    }
}
