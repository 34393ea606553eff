public import DarkroomCore

private enum EffortKey: CoderContextKey {
    static var defaultValue: Int { 7 }
    static func effect(of value: Int) -> ContextEffect { .file(value == defaultValue ? nil : "JPEGXLEffort(\(value))") }
}

extension ImageContext {
    /// The effort that libjxl spends on small files, from 1 for fast to 9 for small; 7 by default.
    public var jpegXLEffort: Int {
        get { self[EffortKey.self] }
        set { self[EffortKey.self] = newValue }
    }
}

extension JPEGXLCoder {
    /// The effort.
    public var contextKeys: [any CoderContextKey.Type] { [EffortKey.self] }
}
