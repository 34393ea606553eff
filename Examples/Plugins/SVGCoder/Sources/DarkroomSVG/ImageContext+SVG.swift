public import DarkroomCore

private enum ColorKey: CoderContextKey {
    static var defaultValue: Color? { nil }
    // The colour changes pixels, but not the file that is drawn.
    static func effect(of value: Color?) -> ContextEffect { .result(value.map { "SVGColor(\($0))" }) }
}

extension ImageContext {
    /// The colour that `currentColor` stands for, as in icons; `nil` leaves it to the drawing.
    public var svgColor: Color? {
        get { self[ColorKey.self] }
        set { self[ColorKey.self] = newValue }
    }
}

extension SVGCoder {
    /// The colour.
    public var contextKeys: [any CoderContextKey.Type] { [ColorKey.self] }
}
