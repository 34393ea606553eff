public import DarkroomCore

private enum ColorKey: ImageContextKey {
    static var defaultValue: Color? { nil }
    // The colour changes pixels, so each colour has its own cache entry.
    static func cacheKeyFragment(for value: Color?) -> String? { value.map { "SVGColor(\($0))" } }
}

extension ImageContext {
    /// The colour that `currentColor` stands for, as in icons; `nil` leaves it to the drawing.
    public var svgColor: Color? {
        get { self[ColorKey.self] }
        set { self[ColorKey.self] = newValue }
    }
}
