import CJPEG
import DarkroomCore
import DarkroomPlatform

/// The channels of a file to be written.
enum JPEGChannels {
    /// Luma alone.
    case gray
    /// Luma, and chroma of half its size in each direction.
    case subsampled
    /// Luma and chroma of the same size.
    case full
}

extension EncodeRequest {
    /// Whether `bitmap`, over the background of the request, has no colour, so that a single channel stores all of it.
    ///
    /// An RGB profile does not describe such a file, and the pixels would look different without it.
    func canStoreGray(_ bitmap: Bitmap) throws -> Bool {
        guard iccProfile == nil else { return false }
        if bitmap.hasAlpha, let color = context.background {
            guard color.red == color.green, color.green == color.blue else { return false }
        }
        return try bitmap.withPixels { pixels in
            for rows in bitmap.size.rowBatches {
                try checkCancellation()
                guard pixels.extracting(rows).isGray else { return false }
            }
            return true
        }
    }

    /// The profile to write into a file with these channels; `nil` for sRGB.
    func profile(for channels: JPEGChannels) -> Data? {
        guard channels == .gray, let profile = image.metadata.iccProfile else { return iccProfile }
        // Bytes 16 to 19 are the signature of the colour space (ICC.1, 7.2.6).
        return profile.dropFirst(16).starts(with: Array("GRAY".utf8)) ? profile : nil
    }
}

extension Span<UInt8> {
    /// Whether the colours of all of these RGBA8 pixels are shades of grey.
    fileprivate var isGray: Bool {
        unsafe withUnsafeBufferPointer { bytes in unsafe cjpeg_is_gray(bytes.baseAddress, bytes.count / 4) }
    }
}
