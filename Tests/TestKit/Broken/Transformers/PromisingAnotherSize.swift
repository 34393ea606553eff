import DarkroomCore

/// The thumbnail that is to stand for it has another size.
struct PromisingAnotherSize: NearlySoundTransformer {
    var decodingThumbnail: Thumbnail? { .fit(10, 10) }
}
