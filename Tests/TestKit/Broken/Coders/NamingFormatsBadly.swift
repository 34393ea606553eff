import DarkroomCore
import DarkroomTestKit

/// Its format cannot be sent over HTTP.
struct NamingFormatsBadly: NearlySoundCoder {
    var formats: [ImageFormat] {
        [ImageFormat(identifier: "x", mimeType: "image", fileExtension: ".X", signatures: ["plain!"])]
    }
}
