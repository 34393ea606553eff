import DarkroomCore

/// A transformer that declares a thumbnail of another size than its results.
struct WrongThumbnailTransformer: InvertingTransformer {
    var decodingThumbnail: Thumbnail? { .fit(10, 10) }
}
