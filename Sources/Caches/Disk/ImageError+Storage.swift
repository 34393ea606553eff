public import DarkroomCore

extension ImageError.Kind {
    /// A disk cache could not access its folder.
    public static let storage = ImageError.Kind(rawValue: "storage")
}
