public import DarkroomCore

/// Reads lists of transforms written as text, such as `resize:300x200,cover+sharpen`, for command lines and URLs.
///
/// Steps are joined by `+`. A step is a name, and after `:` its arguments, joined by `,`: first those in order, then those
/// with a name, as in `gravity=top`. What has a meaning here or in a URL is written in percent escapes, so that a list is one
/// segment of a path and one word for a shell. Give it the segment as it stands in the URL, since it decodes escapes itself.
public struct TransformNotation: Sendable {
    /// The longest text in bytes.
    public static let byteLimit = 4096

    /// The most steps of one list.
    public static let stepLimit = 32

    /// Finds the picture of a name, for transforms that draw one.
    public typealias Pictures = @Sendable (String) throws -> Bitmap

    private let pictures: Pictures
    private let others: [Form]

    /// A reader that draws what `pictures` finds; without it, transforms that need one are errors.
    ///
    /// `others` are steps that the caller reads itself. They are told to who writes a name wrong.
    public init(pictures: @escaping Pictures = Self.noPictures, others: [Form] = []) {
        self.pictures = pictures
        self.others = others
    }

    /// Finds none.
    public static let noPictures: Pictures = { _ in
        throw ImageError(.unsupported, .request, "no other pictures can be named here")
    }

    /// The steps of a list, whatever their names; an error for text that is too long or cannot be taken apart.
    public func steps(of text: String) throws(ImageError) -> [Step] { try Step.list(text) }

    /// The transformers of a list, in order.
    public func transformers(for text: String) throws(ImageError) -> [any ImageTransformer] {
        var transformers: [any ImageTransformer] = []
        for step in try steps(of: text) { transformers.append(try transformer(for: step)) }
        return transformers
    }

    /// The transformer of one step.
    public func transformer(for step: Step) throws(ImageError) -> any ImageTransformer {
        let entry = try entry(for: step)
        return try entry.transformer(try entry.form.values(of: step), pictures)
    }

    /// The transformer of one step whose sizes, however they are written, are multiplied by `ratio`.
    public func transformer(for step: Step, scaledBy ratio: Double) throws(ImageError) -> any ImageTransformer {
        let entry = try entry(for: step)
        return try entry.transformer(try entry.form.values(of: step).scaled(by: ratio), pictures)
    }

    /// The one spelling of what `text` asks for: full names, no defaults, arguments in order as far as that goes.
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
