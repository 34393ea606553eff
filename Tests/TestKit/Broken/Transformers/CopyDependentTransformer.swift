import DarkroomCore

/// A transformer that needs all pixels, but declares that a thumbnail is sufficient.
struct CopyDependentTransformer: InvertingTransformer {
    var sufficientThumbnail: Thumbnail? { .fit(10, 10) }
}
