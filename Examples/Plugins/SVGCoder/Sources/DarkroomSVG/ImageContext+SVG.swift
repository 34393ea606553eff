public import DarkroomCore

private enum ColorKey: ImageContextKey {
    static var defaultValue: Color? { nil }
    // Another colour, other pixels: so each has an entry of its own in the caches.
    static func cacheKeyFragment(for value: Color?) -> String? { value.map { "SVGColor(\($0))" } }
}

extension ImageContext {
    /// What drawings mean by `currentColor`, as icons do; `nil` leaves it to them.
    public var svgColor: Color? {
        get { self[ColorKey.self] }
        set { self[ColorKey.self] = newValue }
    }
}
