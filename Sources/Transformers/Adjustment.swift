public import DarkroomCore

/// Adjusts brightness, contrast and saturation of the stored values, in this order.
public struct Adjustment: ImageTransformer {
    private let brightness, contrast, saturation: Double

    /// - Parameters:
    ///   - brightness: The value added to each channel, −1 to 1; 0 changes nothing.
    ///   - contrast: The factor for the distance of each channel from middle grey, 0 to 100; 1 changes nothing.
    ///   - saturation: The factor for the distance of each pixel from the grey of the same luma (Rec. 709), 0 to 100; 1
    ///     changes nothing, 0 produces greys.
    public init(brightness: Double = 0, contrast: Double = 1, saturation: Double = 1) {
        self.brightness = brightness.roundedToSixDecimals
        self.contrast = contrast.roundedToSixDecimals
        self.saturation = saturation.roundedToSixDecimals
    }

    /// The three parameters, such as `Adjustment(0.100000,1.000000,1.500000)`.
    public var identifier: String {
        "Adjustment(\(brightness.sixDecimals),\(contrast.sixDecimals),\(saturation.sixDecimals))"
    }

    /// Returns the adjusted image, rounded and clamped to 0 to 255 once, at the end; alpha is unchanged.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try (-1...1).require(brightness, name: "the adjustment's brightness")
        try (0...100).require(contrast, name: "the adjustment's contrast")
        try (0...100).require(saturation, name: "the adjustment's saturation")
        guard brightness != 0 || contrast != 1 || saturation != 1 else { return bitmap }
        // Contrast and brightness commute with saturation, because both treat all channels alike.
        let offset = Float(((brightness - 0.5) * contrast + 0.5) * 255)
        let own = Float(contrast * saturation)
        let shared = Float(contrast * (1 - saturation))
        return try bitmap.mapBlocks(hasAlpha: bitmap.hasAlpha, for: request) { words in
            var block = PixelBlock(words)
            let luma = 0.2126 * block.red + 0.7152 * block.green + 0.0722 * block.blue
            let rest = luma * shared + offset
            block.red = block.red * own + rest
            block.green = block.green * own + rest
            block.blue = block.blue * own + rest
            return block.colorWords | words & 0xFF00_0000
        }
    }
}

extension ImageTransformer where Self == Adjustment {
    /// Adjusts brightness, contrast and saturation.
    public static func adjust(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1
    ) -> Adjustment {
        Adjustment(brightness: brightness, contrast: contrast, saturation: saturation)
    }
}
