import DarkroomCore

/// Its identifier is empty, so that what it makes is kept as the original.
struct HavingNoName: NearlySoundTransformer {
    var identifier: String { "" }
}
