public import DarkroomCore

/// Resizes an image to exactly the given size, or to a width or height, enlarging it if necessary.
public struct Resizing: ImageTransformer {
    /// The way in which an image is scaled to the new canvas. The raw values are those of SDWebImage, and are part of
    /// identifiers.
    public enum Mode: Int, Sendable, CaseIterable {
        /// Stretched to fill the canvas.
        case stretch = 0
        /// The largest size that fits; the rest is transparent.
        case fit = 1
        /// The smallest size that covers the canvas; the excess is clipped.
        case cover = 2
    }

    /// The sides of the canvas; `nil` for one that follows from the other and the aspect ratio of the image.
    private let width, height: Double?
    private let mode: Mode
    private let gravity: Gravity
    private let inLinearLight: Bool

    /// Creates a canvas of `width` × `height` pixels, each rounded up to whole pixels. `gravity` determines the
    /// position of the image in mode `fit`, and the visible part in mode `cover`.
    ///
    /// In linear light, fine patterns of light and dark keep their brightness. A large still is then decoded with at least four
    /// pixels for each one per side, and a thumbnail in linear light with two.
    public init(
        width: Double, height: Double, mode: Mode = .stretch, gravity: Gravity = .center, inLinearLight: Bool = false
    ) {
        self.width = width.roundedToSixDecimals
        self.height = height.roundedToSixDecimals
        self.mode = mode
        self.gravity = gravity
        self.inLinearLight = inLinearLight
    }

    /// Creates a resize to `width` pixels, and to the height that preserves the aspect ratio, rounded up.
    public init(width: Double, inLinearLight: Bool = false) {
        self.init(width, nil, inLinearLight: inLinearLight)
    }

    /// Creates a resize to `height` pixels, and to the width that preserves the aspect ratio, rounded up.
    public init(height: Double, inLinearLight: Bool = false) {
        self.init(nil, height, inLinearLight: inLinearLight)
    }

    private init(_ width: Double?, _ height: Double?, inLinearLight: Bool) {
        self.width = width?.roundedToSixDecimals
        self.height = height?.roundedToSixDecimals
        mode = .stretch
        gravity = .center
        self.inLinearLight = inLinearLight
    }

    /// The size and mode, such as `Resizing({100.000000,100.000000},2)`, with a gravity other than the centre, and
    /// `linear`. A side that follows from the other is `auto`.
    public var identifier: String {
        let sides = [width, height].map { $0?.sixDecimals ?? "auto" }.joined(separator: ",")
        let place = gravity == .center ? "" : ",\(gravity.rawValue)"
        let light = inLinearLight ? ",linear" : ""
        return "Resizing({\(sides)},\(mode.rawValue)\(place)\(light))"
    }

    /// The thumbnail with the pixels of the canvas.
    public var sufficientThumbnail: Thumbnail? {
        switch (width, height) {
        case (let width?, let height?):
            let modes: [Mode: Thumbnail.Mode] = [.fit: .fit, .cover: .cover]
            return Thumbnail(
                width: width, height: height, mode: modes[mode] ?? .stretch, inLinearLight: inLinearLight)
        case (let width?, nil): return .fit(width: width, inLinearLight: inLinearLight)
        case (nil, let height?): return .fit(height: height, inLinearLight: inLinearLight)
        case (nil, nil): return nil
        }
    }

    /// Returns the size of the canvas.
    public func largestSize(for size: PixelSize) -> PixelSize {
        let (width, height) = sides(for: size)
        return PixelSize(roundingUpWidth: width, height: height) ?? size
    }

    /// Returns the image on the new canvas.
    ///
    /// An image that is not aligned to whole pixels is resampled to its exact position, and covers the pixels at its
    /// edges partially.
    ///
    /// - Throws: An error of kind `unsupported` if a side is not positive.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let source = request.sourceSize ?? bitmap.size
        let (width, height) = sides(for: source)
        let canvas = PixelSize(try width.side("the width to resize to"), try height.side("the height to resize to"))
        guard mode != .stretch else {
            return try bitmap.resized(
                to: canvas, inLinearLight: inLinearLight, limits: request.context.limits,
                checkCancellation: request.checkCancellation)
        }
        guard min(width, height) >= Self.minimumLength else {
            return try Bitmap(canvas, hasAlpha: true, limits: request.context.limits) { _ in }
        }
        return try place(bitmap, reducedFrom: source, on: canvas, for: request)
    }

    /// The side below which `fit` and `cover` show nothing, as SDWebImage does.
    private static var minimumLength: Double { 0.01 }

    /// Returns the sides of the canvas for an image of `size`.
    private func sides(for size: PixelSize) -> (width: Double, height: Double) {
        // Products of integers are exact here, so rounding up never amplifies the rounding error of a ratio.
        let (sourceWidth, sourceHeight) = (Double(size.width), Double(size.height))
        return (
            width ?? (height ?? 0) * sourceWidth / sourceHeight, height ?? (width ?? 0) * sourceHeight / sourceWidth
        )
    }

    private func place(
        _ bitmap: Bitmap, reducedFrom source: PixelSize, on canvas: PixelSize, for request: TransformRequest
    ) throws -> Bitmap {
        // Limits the work before any is done.
        try request.context.limits.check(decodedByteCount: canvas.byteCount ?? .max)
        let (width, height) = (Double(source.width), Double(source.height))
        let scales = (Double(canvas.width) / width, Double(canvas.height) / height)
        let scale = mode == .fit ? min(scales.0, scales.1) : max(scales.0, scales.1)
        let across = AxisPlacement(
            source: bitmap.size.width, length: width * scale, canvas: canvas.width, halvesBefore: gravity.leftHalves)
        let down = AxisPlacement(
            source: bitmap.size.height, length: height * scale, canvas: canvas.height, halvesBefore: gravity.topHalves)
        let area = PixelRectangle(
            x: -across.pixels.lowerBound, y: -down.pixels.lowerBound, width: canvas.width, height: canvas.height)
        return try bitmap.placed(across: across, down: down, inLinearLight: inLinearLight, for: request).window(
            area, for: request)
    }
}

extension ImageTransformer where Self == Resizing {
    /// Resizes to exactly `width` × `height` pixels, scaled by `mode` and positioned by `gravity`.
    public static func resize(
        _ width: Double, _ height: Double, _ mode: Resizing.Mode = .stretch, gravity: Gravity = .center,
        inLinearLight: Bool = false
    ) -> Resizing {
        Resizing(width: width, height: height, mode: mode, gravity: gravity, inLinearLight: inLinearLight)
    }

    /// Resizes to `width` pixels, and to the height that preserves the aspect ratio.
    public static func resize(width: Double, inLinearLight: Bool = false) -> Resizing {
        Resizing(width: width, inLinearLight: inLinearLight)
    }

    /// Resizes to `height` pixels, and to the width that preserves the aspect ratio.
    public static func resize(height: Double, inLinearLight: Bool = false) -> Resizing {
        Resizing(height: height, inLinearLight: inLinearLight)
    }
}
