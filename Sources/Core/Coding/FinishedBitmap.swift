import DarkroomPlatform

/// A bitmap as it is delivered: at the exact size, upright, and in the colours that the context requests.
package struct FinishedBitmap {
    /// The profile of its colours.
    package enum Profile: Equatable {
        /// None, which means sRGB.
        case none
        /// That of the file.
        case ofFile
        /// That of a space to which the pixels were converted.
        case space(OutputColorSpace)
    }

    /// The pixels.
    package var bitmap: Bitmap

    /// The profile of the pixels.
    package var profile = Profile.none

    /// Whether colours were converted.
    package var isConverted = false

    /// Whether the bitmap is exactly as the coder has decoded it.
    package var isAsDecoded = false

    /// Creates a finished bitmap in sRGB that was not merely decoded.
    package init(_ bitmap: Bitmap) { self.bitmap = bitmap }
}

extension FinishedBitmap {
    /// Returns the bytes of the profile, for an image with the header `info`.
    func profileData(in info: ImageInfo) -> Data? {
        switch profile {
        case .none: nil
        case .ofFile: info.iccProfile
        case .space(let space): space.iccProfile
        }
    }
}

extension DecodeRequest {
    /// Returns `bitmap`, which `finisher` has finished.
    func finished(_ bitmap: Bitmap, by finisher: BitmapFinisher, isAsDecoded: Bool = false) -> FinishedBitmap {
        var finished = FinishedBitmap(bitmap)
        finished.isConverted = finisher.convertsColors
        finished.isAsDecoded = isAsDecoded
        let space = outputColorSpace
        if space != .sRGB {
            finished.profile = .space(space)
        } else if !finished.isConverted, deliveredProfile != nil {
            finished.profile = .ofFile
        }
        return finished
    }
}
