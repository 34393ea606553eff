public import DarkroomCore

/// Parses lists of transforms written as text, such as `resize:300x200,cover+sharpen`, for command lines and URLs.
///
/// Steps are joined by `+`. A step is a name, optionally followed by `:` and arguments joined by `,`: positional ones
/// first, then named ones such as `gravity=top`. Characters with a special meaning here or in a URL are
/// percent-encoded, so that a list is a single path segment and a single shell word. Pass the segment as it appears in
/// the URL; the parser decodes the escapes itself.
public struct TransformNotation: Sendable {
    /// The maximum length of the text in bytes.
    public static let byteLimit = 4096

    /// The maximum number of steps in a list.
    public static let stepLimit = 32

    /// Looks up an image by name, for transforms that draw one.
    public typealias ImageLookup = @Sendable (String) throws -> Bitmap

    private let images: ImageLookup
    private let others: [Form]

    /// Creates a parser whose transforms can draw the images that `images` returns; without it, such transforms are
    /// errors.
    ///
    /// `others` are forms of steps that the caller handles itself. They are included in suggestions for misspelled
    /// names.
    public init(images: @escaping ImageLookup = Self.noImages, others: [Form] = []) {
        self.images = images
        self.others = others
    }

    /// Throws an error for any name.
    public static let noImages: ImageLookup = { _ in
        throw ImageError(.unsupported, .request, "images cannot be named here")
    }

    /// Parses the steps of a list, whatever their names.
    ///
    /// - Throws: An error if the text is too long or malformed.
    public func steps(of text: String) throws(ImageError) -> [Step] { try Step.list(text) }

    /// Returns the transformers of a list, in order.
    public func transformers(for text: String) throws(ImageError) -> [any ImageTransformer] {
        var transformers: [any ImageTransformer] = []
        for step in try steps(of: text) { transformers.append(try transformer(for: step)) }
        return transformers
    }

    /// Returns the transformer of one step.
    public func transformer(for step: Step) throws(ImageError) -> any ImageTransformer {
        let entry = try entry(for: step)
        return try entry.transformer(for: try entry.form.values(of: step), images: images)
    }

    /// Returns the transformer of one step with all its sizes multiplied by `ratio`.
    public func transformer(for step: Step, scaledBy ratio: Double) throws(ImageError) -> any ImageTransformer {
        let entry = try entry(for: step)
        return try entry.transformer(for: try entry.form.values(of: step).scaled(by: ratio), images: images)
    }

    /// Returns the canonical spelling of `text`: full names, no default values, and positional arguments wherever
    /// possible.
    public func canonical(_ text: String) throws(ImageError) -> String {
        var words: [String] = []
        for step in try steps(of: text) { words.append(try entry(for: step).form.values(of: step).step.description) }
        return words.joined(separator: "+")
    }

    private func entry(for step: Step) throws(ImageError) -> Entry {
        if let entry = Self.entries.first(where: { $0.form.matches(step) }) { return entry }
        let names = (Self.entries.map(\.form) + others).map(\.name)
        throw ImageError(
            .unsupported, .request,
            "there is no transform \(step.name.quoted); \(step.name.suggestion(among: names) ?? "there are \(names.listed("and"))")"
        )
    }
}
