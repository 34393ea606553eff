import DarkroomCore
import DarkroomQuantizing

extension Bitmap {
    /// Returns a copy in which pixels that differ from those of `screen` by at most `tolerance` in each channel have their
    /// colours. Opaque and transparent ones always differ.
    func settled(on screen: Bitmap, tolerance: Int) -> Bitmap {
        unsafe screen.withWords { shown in
            unsafe moved(to: size) { from, to in
                for index in from.indices {
                    let isNear = unsafe PackedColor(gifPixel: from[index]).isNear(
                        PackedColor(gifPixel: shown[index]), tolerance: tolerance)
                    unsafe to[index] = isNear ? shown[index] : from[index]
                }
            }
        }
    }
}

extension PackedColor {
    fileprivate func isNear(_ other: PackedColor, tolerance: Int) -> Bool {
        guard alpha == other.alpha else { return false }
        return abs(Int(red) - Int(other.red)) <= tolerance && abs(Int(green) - Int(other.green)) <= tolerance
            && abs(Int(blue) - Int(other.blue)) <= tolerance
    }
}
