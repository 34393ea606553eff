import DarkroomCore

/// A transformer that writes to the pixels of its input.
struct InputMutatingTransformer: InvertingTransformer {
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let inverted = try inverted(bitmap, request)
        bitmap.withPixels { pixels in
            unsafe pixels.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe UnsafeMutablePointer(mutating: start).pointee ^= 1
            }
        }
        return inverted
    }
}
