public import DarkroomCore

/// Changes brightness, contrast and saturation, in this order, of the values as they are stored.
public struct Adjustment: ImageTransformer {
    private let brightness, contrast, saturation: Double

    /// - Parameters:
    ///   - brightness: What is added to each channel, −1 to 1; 0 changes nothing.
    ///   - contrast: How many times as far from middle grey each channel comes to lie, 0 to 100; 1 changes nothing.
    ///   - saturation: How many times as far from the grey of the same luma (Rec. 709) each pixel comes to lie, 0 to 100;
    ///     1 changes nothing, 0 gives greys.
    public init(brightness: Double = 0, contrast: Double = 1, saturation: Double = 1) {
        self.brightness = brightness
        self.contrast = contrast
        self.saturation = saturation
    }

    /// The three numbers, such as `Adjustment(0.100000,1.000000,1.500000)`.
    public var identifier: String {
        "Adjustment(\(brightness.sixDecimals),\(contrast.sixDecimals),\(saturation.sixDecimals))"
    }

    /// The changed picture, rounded and cut to 0 to 255 once, at the end; alpha stays.
    public func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try (-1...1).require(brightness, "the adjustment's brightness")
        try (0...100).require(contrast, "the adjustment's contrast")
        try (0...100).require(saturation, "the adjustment's saturation")
        guard brightness != 0 || contrast != 1 || saturation != 1 else { return bitmap }
        // Contrast and brightness commute with saturation, because both do the same to all channels.
        let offset = Float(((brightness - 0.5) * contrast + 0.5) * 255)
        let own = Float(contrast * saturation)
        let shared = Float(contrast * (1 - saturation))
        return try bitmap.mapBlocks(hasAlpha: bitmap.hasAlpha, request) { words in
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
    /// Changes brightness, contrast and saturation.
    public static func adjust(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1
    ) -> Adjustment {
        Adjustment(brightness: brightness, contrast: contrast, saturation: saturation)
    }
}
