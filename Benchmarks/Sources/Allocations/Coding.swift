import DarkroomCore
import Photograph

/// Returns suites of decoding and encoding at full size for each format, and of the main task.
func codingSuites() -> [Suite] {
    let formats = Photograph.formats.flatMap { format in
        [
            Suite("Decode \(format)", setup: { try Photograph.small().file(of: format) }) { file, _ in
                try Photograph.coders.decode(file)
            },
            Suite("Encode \(format)", setup: Image.small) { image, _ in
                try Photograph.coders.encode(image, as: format)
            },
        ]
    }
    let thumbnail = Suite("Thumbnail of jpeg", setup: { try Photograph.small().file(of: .jpeg) }) { file, _ in
        try Photograph.coders.measuredThumbnail(of: file)
    }
    return formats + [thumbnail]
}

extension Image {
    /// Returns the decoded image.
    static func small() throws -> Image { try Photograph.coders.decode(try Photograph.small().file(of: .png)) }
}
