import DarkroomCore
import Photograph

/// Registers decoding and encoding at full size for each format, and the main task.
func registerCoders() {
    for format in Photograph.formats {
        measure("Decode \(format)", setup: { try Photograph.small().file(of: format) }) { file, _ in
            try Photograph.coders.decode(file)
        }
        measure("Encode \(format)", setup: Image.small) { image, _ in
            try Photograph.coders.encode(image, as: format)
        }
    }
    measure("Thumbnail of jpeg", setup: { try Photograph.small().file(of: .jpeg) }) { file, _ in
        try Photograph.coders.measuredThumbnail(of: file)
    }
}

extension Image {
    /// Returns the decoded image.
    static func small() throws -> Image { try Photograph.coders.decode(try Photograph.small().file(of: .png)) }
}
