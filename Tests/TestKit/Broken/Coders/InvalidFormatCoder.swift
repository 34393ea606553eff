import DarkroomCore
import DarkroomTestKit

/// A coder that declares a format whose media type and file extension are invalid.
struct InvalidFormatCoder: PlainCoderWrapper {
    var formats: [ImageFormat] {
        [ImageFormat(identifier: "x", mimeType: "image", fileExtension: ".X", signatures: ["plain!"])]
    }
}
