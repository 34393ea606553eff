public import DarkroomCore

private enum ProgressiveKey: CoderContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .file(value ? "Progressive(1)" : nil) }
}

private enum SubsamplingKey: CoderContextKey {
    static var defaultValue: JPEGSubsampling { .automatic }
    static func effect(of value: JPEGSubsampling) -> ContextEffect {
        .file(value == .automatic ? nil : "Subsampling(\(value.rawValue))")
    }
}

private enum OptimizesKey: CoderContextKey {
    static var defaultValue: Bool? { nil }
    static func effect(of value: Bool?) -> ContextEffect { .file(value.map { "OptimizedJPEG(\($0 ? 1 : 0))" }) }
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

    /// The resolution of colour in JPEG files. The default is ``JPEGSubsampling/automatic``.
    public var jpegSubsampling: JPEGSubsampling {
        get { self[SubsamplingKey.self] }
        set { self[SubsamplingKey.self] = newValue }
    }

    /// Whether the Huffman tables of JPEG files are made for each file; `nil`, the default, for up to 262,144 pixels.
    ///
    /// The pixels are the same. Files are smaller by about 6 % at 180 pixels and 2 to 4 % above 400, and take up to twice as
    /// long to encode. Progressive files always have tables of their own.
    public var optimizesJPEG: Bool? {
        get { self[OptimizesKey.self] }
        set { self[OptimizesKey.self] = newValue }
    }
}

extension JPEGCoder {
    /// The options of JPEG files.
    public var contextKeys: [any CoderContextKey.Type] {
        [ProgressiveKey.self, SubsamplingKey.self, OptimizesKey.self]
    }
}
