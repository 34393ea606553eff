import CJPEG
import DarkroomCore
import DarkroomPlatform

/// The channels of a file to be written.
enum JPEGChannels {
    /// Luma alone.
    case gray
    /// Luma, and chroma with this resolution, which is not automatic.
    case color(JPEGSubsampling)

    /// The resolution at which libjpeg's `percent` is not wasted.
    static func automatic(percent: Double) -> JPEGChannels { .color(percent < 90 ? .chroma420 : .chroma444) }

    /// The columns of luma for each of chroma.
    var columnsPerChroma: Int32 { [.chroma422, .chroma420].contains(subsampling) ? 2 : 1 }

    /// The rows of luma for each of chroma.
    var rowsPerChroma: Int32 { subsampling == .chroma420 ? 2 : 1 }

    /// Whether there is luma alone.
    var isGray: Bool { subsampling == nil }

    private var subsampling: JPEGSubsampling? {
        guard case .color(let subsampling) = self else { return nil }
        return subsampling
    }
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
        guard channels.isGray, let profile = image.metadata.iccProfile else { return iccProfile }
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
