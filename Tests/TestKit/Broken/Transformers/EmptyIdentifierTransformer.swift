import DarkroomCore

/// A transformer that has an empty identifier, so that its results are cached as originals.
struct EmptyIdentifierTransformer: InvertingTransformer {
    var identifier: String { "" }
}
