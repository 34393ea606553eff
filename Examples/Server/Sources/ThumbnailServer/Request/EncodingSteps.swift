import Darkroom

/// The steps of a path that concern the encoders.
struct EncodingSteps: Sendable {
    /// The forms of these steps.
    static let forms: [TransformNotation.Form] = [
        bytes, keep, colorSpace, progressive, subsampling, lossless, nearLossless, sharpYUV,
    ]

    private static let bytes = TransformNotation.Form(
        "bytes", summary: "Lowers the quality of lossy formats until the file has at most this many bytes.",
        parameters: [.required("count", .integer(1...100_000_000))], example: "bytes:20000")
    private static let keep = TransformNotation.Form(
        "keep", summary: "Keeps metadata by kind, and with icc the colours of the source with their profile.",
        parameters: [.required("kinds", .words(MetadataKinds.names + ["icc"]))], example: "keep:copyright.icc")
    private static let colorSpace = TransformNotation.Form(
        "colorSpace", summary: "Writes colours that sRGB lacks in Display P3, with its profile.",
        parameters: [.required("name", .word(OutputColorSpace.allCases.map(\.rawValue)))], example: "colorSpace:p3")
    private static let progressive = TransformNotation.Form(
        "progressive", summary: "Writes progressive JPEG.", example: "progressive")
    private static let subsampling = TransformNotation.Form(
        "subsampling", summary: "Sets the colour resolution of JPEG.",
        parameters: [.required("ratio", .word(JPEGSubsampling.allCases.map(\.rawValue)))], example: "subsampling:444")
    private static let lossless = TransformNotation.Form(
        "lossless", summary: "Writes lossless WebP.", example: "lossless")
    private static let nearLossless = TransformNotation.Form(
        "nearLossless", summary: "Writes lossless WebP of slightly rounded pixels.",
        parameters: [.required("level", .integer(0...100))], example: "nearLossless:60")
    private static let sharpYUV = TransformNotation.Form(
        "sharpYUV", summary: "Preserves sharp edges of colour in WebP, or not.",
        parameters: [.optional("isOn", .flag, default: "true")], example: "sharpYUV")

    private var byteLimit: Int?
    private var kept: Set<String> = []
    private var space = OutputColorSpace.sRGB
    private var isProgressive = false
    private var ratio = JPEGSubsampling.automatic
    private var isLossless = false
    private var nearLosslessLevel: Int?
    private var usesSharpYUV: Bool?

    /// Adds `step`; returns false if it is none of these.
    mutating func add(_ step: TransformNotation.Step) throws -> Bool {
        guard let form = Self.forms.first(where: { $0.matches(step) }) else { return false }
        let values = try form.values(of: step)
        switch form.name {
        case Self.bytes.name: byteLimit = try values.integer("count")
        case Self.keep.name: kept.formUnion(try values.words("kinds"))
        case Self.colorSpace.name: space = try values.words("name").first.flatMap(OutputColorSpace.init) ?? .sRGB
        case Self.progressive.name: isProgressive = true
        case Self.subsampling.name:
            ratio = try values.words("ratio").first.flatMap(JPEGSubsampling.init) ?? .automatic
        case Self.lossless.name: isLossless = true
        case Self.nearLossless.name: nearLosslessLevel = try values.integer("level")
        default: usesSharpYUV = try values.flag("isOn")
        }
        return true
    }

    /// Applies the steps to the context of a request. What is not set has the same key as before.
    func apply(to context: inout ImageContext) {
        if let byteLimit { context.encodedByteLimit = byteLimit }
        let kinds = kept.compactMap(MetadataKinds.init(name:)).reduce(into: MetadataKinds()) { $0.formUnion($1) }
        if !kinds.isEmpty { context.keptMetadata = kinds }
        if kept.contains("icc") { context.keepsProfile = true }
        if space != .sRGB { context.colorSpace = space }
        if isProgressive { context.writesProgressiveJPEG = true }
        if ratio != .automatic { context.jpegSubsampling = ratio }
        if isLossless { context.writesLosslessWebP = true }
        if let nearLosslessLevel { context.webPOptions.nearLosslessLevel = nearLosslessLevel }
        if let usesSharpYUV { context.webPOptions.usesSharpYUV = usesSharpYUV }
    }
}
