import DarkroomCore
import Photograph

/// The picture decoded and encoded at its full size, once for each format, and the main job.
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
    /// The picture, decoded.
    static func small() throws -> Image { try Photograph.coders.decode(try Photograph.small().file(of: .png)) }
}
