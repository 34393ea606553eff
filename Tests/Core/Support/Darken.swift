import DarkroomCore
import DarkroomTestKit
import TestSupport

/// A transformer that halves each channel, to tell results from originals.
struct Darken: ImageTransformer {
    var identifier: String { "Darken()" }
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        Bitmap(bitmap.size.width, bitmap.size.height) { x, y in
            let color = bitmap.color(x: x, y: y)!
            return Color(red: color.red / 2, green: color.green / 2, blue: color.blue / 2)
        }
    }
}
