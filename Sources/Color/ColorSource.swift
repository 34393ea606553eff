import DarkroomCore

/// The input of a conversion. Equal sources have equal conversions.
struct ColorSource: Hashable, Sendable {
    /// A description of the colour space.
    enum Space: Hashable, Sendable {
        case profile([UInt8])
        case calibration(Calibration)
    }

    let space: Space

    /// The colour model of the stored pixels. Palettes count as RGB.
    let model: ImageInfo.ColorModel

    /// Creates the source that `info` describes, or returns `nil` if it describes none.
    init?(_ info: ImageInfo) {
        model = info.colorModel == .indexed ? .rgb : info.colorModel
        if let profile = info.iccProfile {
            // A copy, because the data may be a slice of the whole file.
            space = .profile(Array(profile))
        } else if let calibration = info.calibration, model != .cmyk, !calibration.isApproximatelySRGB {
            space = .calibration(calibration)
        } else {
            return nil
        }
    }

    /// The size of the stored description in bytes.
    var byteCount: Int {
        switch space {
        case .profile(let bytes): bytes.count
        case .calibration: 0
        }
    }

    /// Returns the conversion to `space`, or `nil` if the source is in it.
    func makeConversion(to space: OutputColorSpace) throws(ImageError) -> (any RowConversion & Sendable)? {
        let profile = try makeProfile()
        guard profile.supports(model) else {
            throw ImageError(.corrupt, .decode, "it does not describe the colour model of the image")
        }
        switch model {
        case .gray:
            let table = try GrayTable(from: profile, deep: deepConversion { try DeepGrayTable(from: $0) })
            return table.isIdentity ? nil : table
        case .rgb, .indexed:
            let transform = try ColorTransform(from: profile, to: space, isExact: false)
            guard !transform.isIdentity else { return nil }
            let deep = deepConversion { try deepRGB($0, to: space) }
            return try MatrixTable(from: profile, to: space, matching: transform, deep: deep)
                ?? TransformedRows(
                    transform: transform, makesOpaque: false, deep: deepConversion { try deepTransform($0, to: space) })
        case .cmyk:
            let transform = try ColorTransform(from: profile, to: space, isExact: false)
            return TransformedRows(transform: transform, makesOpaque: true, deep: Lazy { nil })
        }
    }

    /// Returns whether a primary or a mixture of two is more than a level of 8 bits beyond sRGB.
    func hasWideColors() throws(ImageError) -> Bool {
        switch model {
        case .gray: return false
        case .cmyk: return true
        case .rgb, .indexed:
            let colors = (1...6).flatMap { mixture in (0..<3).map { Double(mixture >> $0 & 1) } }
            return try makeProfile().light(of: colors, in: .sRGB).contains { !(-0.02...1.02).contains($0) }
        }
    }

    /// Returns the conversion that `make` makes from a profile of its own, since a profile is for one task at a time.
    private func deepConversion(
        _ make: @escaping @Sendable (ColorProfile) throws -> any DeepConversion
    ) -> Lazy<(any DeepConversion)?> {
        Lazy { [self] in try? make(makeProfile()) }
    }

    private func deepRGB(_ profile: ColorProfile, to space: OutputColorSpace) throws -> any DeepConversion {
        try DeepMatrix(from: profile, to: space) ?? deepTransform(profile, to: space)
    }

    private func deepTransform(_ profile: ColorProfile, to space: OutputColorSpace) throws -> any DeepConversion {
        DeepTransform(transform: try ColorTransform(from: profile, to: space, isExact: false, isDeep: true))
    }

    private func makeProfile() throws(ImageError) -> ColorProfile {
        switch space {
        case .profile(let bytes): try ColorProfile(bytes)
        case .calibration(let calibration): try ColorProfile(calibration)
        }
    }
}

extension Calibration {
    /// Whether this is the calibration that PNG (section 11.3.2) prescribes to accompany sRGB, whose curve an exponent
    /// only approximates.
    fileprivate var isApproximatelySRGB: Bool {
        func coordinates(_ space: Calibration) -> [Double] {
            [space.white, space.red, space.green, space.blue].flatMap { [$0.x, $0.y] }
        }
        let differences = zip(coordinates(self), coordinates(Calibration(exponent: exponent))).map { abs($0 - $1) }
        return curve == .power && abs(1 / exponent - 0.45455) < 0.00005 && differences.allSatisfy { $0 < 0.001 }
    }
}
