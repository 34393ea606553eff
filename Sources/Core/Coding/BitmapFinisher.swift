package import DarkroomPlatform

/// Finishes the bitmaps that a coder returns: scales them to the exact size, converts them to sRGB, makes them upright,
/// and crops them to what is delivered.
struct BitmapFinisher {
    private let request: DecodeRequest
    private var conversion: (any RowConversion)?

    init(for request: DecodeRequest, conversion: (any RowConversion)?) {
        self.request = request
        self.conversion = conversion
    }

    /// Whether colours are converted.
    var convertsColors: Bool { conversion != nil }

    mutating func finish(_ bitmap: Bitmap) throws -> Bitmap {
        try request.checkCancellation()
        let resized = try bitmap.resized(
            to: request.target, inLinearLight: request.resizesInLinearLight, limits: request.context.limits,
            checkCancellation: request.checkCancellation)
        return try converted(resized).upright(from: request.info.orientation)
            .cropped(to: request.deliveredSize, around: request.context.thumbnail?.focus ?? .center)
    }

    private mutating func converted(_ bitmap: Bitmap) throws -> Bitmap {
        guard var conversion, !request.isConvertedByCoder else { return bitmap }
        defer { self.conversion = conversion }
        return try bitmap.converted(
            by: &conversion, limits: request.context.limits, checkCancellation: request.checkCancellation)
    }
}

extension Bitmap {
    /// Returns the bitmap with its rows converted by `conversion`.
    func converted(
        by conversion: inout any RowConversion, limits: DecodeLimits, checkCancellation: () throws -> Void
    ) throws -> Bitmap {
        try Bitmap.uninitialized(size, hasAlpha: hasAlpha, limits: limits) { pixels in
            var row = [UInt8](repeating: 0, count: size.width * 4)
            try withPixels { source in
                for start in stride(from: 0, to: source.count, by: row.count) {
                    try checkCancellation()
                    for index in row.indices { row[index] = source[start + index] }
                    var span = row.mutableSpan
                    conversion.convert(&span)
                    for index in row.indices { pixels[start + index] = row[index] }
                }
            }
        }
    }
}

/// A frame decoder that finishes each frame when it is decoded.
struct FinishingFrameDecoder: FrameDecoder {
    private var base: any FrameDecoder
    private let request: DecodeRequest
    private var finisher: BitmapFinisher

    init(base: any FrameDecoder, request: DecodeRequest) {
        self.base = base
        self.request = request
        finisher = request.makeFinisher()
    }

    mutating func nextFrame() throws -> Frame? {
        request.restartClock()
        request.removeTruncationNotes()
        guard var frame = try base.nextFrame() else { return nil }
        frame.bitmap = try finisher.finish(frame.bitmap)
        // Those of frames beneath it follow.
        frame.damage = frame.damage ?? request.truncationNotes.first
        return frame
    }

    mutating func seek(to index: Int) throws -> Bool {
        request.restartClock()
        return try base.seek(to: index)
    }
}

extension DecodeRequest {
    func makeFinisher() -> BitmapFinisher {
        BitmapFinisher(for: self, conversion: convertsInCore ? makeRowConversion() : nil)
    }

    /// The profile of pixels that Core does not convert; `nil` for sRGB.
    package var deliveredProfile: Data? {
        // The coder has converted CMYK to sRGB. A profile that a converter has not applied is that of sRGB, or invalid.
        info.colorModel != .cmyk && (context.keepsProfile || colorConverter == nil) ? info.iccProfile : nil
    }

    /// Whether Core converts the colours, unless the coder does.
    var convertsInCore: Bool {
        switch info.colorModel {
        case .cmyk: false
        // The delivered pixels are RGB, which a grey profile does not describe.
        case .gray: true
        // A calibration cannot be delivered with the pixels.
        case .rgb, .indexed: !context.keepsProfile || info.iccProfile == nil
        }
    }
}
