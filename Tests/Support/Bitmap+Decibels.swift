public import DarkroomCore
import DarkroomPlatform

extension Bitmap {
    /// The peak signal-to-noise ratio to `other`, which has the same size; infinite for equal pixels. Alpha counts if there is
    /// any.
    public func decibels(to other: Bitmap) -> Double {
        precondition(size == other.size, "\(size) is not \(other.size)")
        let squares = withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0.0) { sum, index in
                    let difference = Double(left[index]) - Double(right[index])
                    return sum + difference * difference
                }
            }
        }
        let channelCount = hasAlpha || other.hasAlpha ? 4 : 3
        return 10 * log10(255 * 255 * Double(size.pixelCount * channelCount) / squares)
    }
}
