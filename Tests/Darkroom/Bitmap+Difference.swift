import Darkroom
import TestSupport

extension Bitmap {
    /// Returns the mean difference of channels; 256 when the sizes differ.
    func meanDifference(to other: Bitmap) -> Double {
        guard size == other.size else { return 256 }
        let differences = zip(bytes, other.bytes).map { abs(Double($0) - Double($1)) }
        return differences.reduce(0, +) / Double(differences.count)
    }
}
