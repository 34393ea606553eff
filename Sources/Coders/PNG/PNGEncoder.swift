import DarkroomCore
import DarkroomPlatform
import DarkroomQuantizing

/// Encodes one request.
struct PNGEncoder {
    private let request: EncodeRequest
    private let attributes: PNGWriter.Attributes

    init(_ request: EncodeRequest) {
        self.request = request
        attributes = PNGWriter.Attributes(
            level: request.context.pngCompressionLevel,
            metadata: PNGWriter.Metadata(
                iccProfile: request.iccProfile, exif: request.exif?.data, textChunks: request.textChunks))
    }

    /// Returns the encoded file. Pixels whose profile libpng considers broken are converted to sRGB.
    func data() throws -> Data {
        do {
            return try file()
        } catch is BrokenProfile {
            return try PNGEncoder(request.inSRGB()).file()
        }
    }

    private func file() throws -> Data {
        if let reduction = try PNGReduction(request) { return try file(reduction) }
        guard let animation = request.framesToEncode else {
            let bitmap = try request.stillToEncode()
            var colors = PNGPalette()
            try colors.insert(bitmap, checkCancellation: request.checkCancellation)
            let file = try still(bitmap, layout: layout(for: colors), attributes)
            guard colors.mayBeSmallerAsGray, attributes.metadata.iccProfile == nil else { return file }
            let gray = try still(bitmap, layout: .grayAlpha, attributes)
            return gray.count < file.count ? gray : file
        }
        let layout = layout(for: try colorsOfAllFrames())
        do {
            return try animated(animation, layout: layout)
        } catch is LayoutLacksAlpha {
            return try animated(animation, layout: .rgba)
        }
    }

    /// Returns the file with as many colours as fit into the byte limit, if there is one.
    private func file(_ reduction: PNGReduction) throws -> Data {
        var attributes = attributes
        attributes.hasReducedPalette = true
        return try SizeSearch.file(
            of: reduction.colorCounts, within: request.context.encodedByteLimit
        ) { [attributes] colorCount in
            var frames = try reduction.frames(colorCount: colorCount)
            guard let animation = request.framesToEncode else {
                let bitmap = try request.stillToEncode()
                return try indexed(bitmap, in: PixelRectangle(bitmap.size), of: &frames, attributes)
            }
            return try animated(animation) { bitmap, area, isFirst in
                try indexed(bitmap, in: area, of: &frames, isFirst ? attributes : attributes.ofLaterFrames)
            }
        }
    }

    private func indexed(
        _ bitmap: Bitmap, in area: PixelRectangle, of frames: inout PNGReducedFrames, _ attributes: PNGWriter.Attributes
    ) throws -> Data {
        let writer = try makeWriter(area.size, layout: .palette(frames.palette), attributes)
        try frames.forEachRow(of: bitmap, in: area) { indices throws in try writer.append(row: indices.span) }
        return try writer.finish()
    }

    /// An RGB profile cannot be combined with greyscale.
    private func layout(for colors: PNGPalette) -> PNGLayout {
        PNGLayout(colors.isFull ? colors : colors.sorted(), allowsGray: attributes.metadata.iccProfile == nil)
    }

    /// Collects the colours of all frames, stopping when they are decided.
    private func colorsOfAllFrames() throws -> PNGPalette {
        var colors = PNGPalette()
        do {
            try request.forEachFrame { frame in
                try colors.insert(frame.bitmap, checkCancellation: request.checkCancellation)
                if colors.isDecided { throw PaletteOverflow() }
            }
        } catch is PaletteOverflow {}
        return colors
    }

    private func animated(_ animation: Animation, layout: PNGLayout) throws -> Data {
        try animated(animation) { bitmap, area, isFirst in
            guard layout.holds(bitmap) else { throw LayoutLacksAlpha() }
            return try still(
                isFirst ? bitmap : bitmap.part(area), layout: layout, isFirst ? attributes : attributes.ofLaterFrames)
        }
    }

    /// Returns an animation of the files that `still` returns for the area of each frame that changed.
    private func animated(
        _ animation: Animation, _ still: (_ bitmap: Bitmap, _ area: PixelRectangle, _ isFirst: Bool) throws -> Data
    ) throws -> Data {
        var file = AnimatedPNGWriter(loopCount: animation.loopCount)
        var last: Bitmap?
        try request.forEachFrame { frame in
            let bitmap = frame.bitmap
            guard bitmap.size == request.image.size else {
                throw ImageError(.unsupported, .encode, "all frames of an animated PNG must have the same size")
            }
            // An unchanged frame repeats one pixel, because every frame must have some.
            let area = last.map {
                $0.difference(to: bitmap) ?? PixelRectangle(x: 0, y: 0, width: 1, height: 1)
            }
            let whole = PixelRectangle(bitmap.size)
            file.append(
                try still(bitmap, area ?? whole, last == nil), area: area ?? whole, duration: frame.duration)
            try request.check(outputByteCount: file.byteCount)
            last = bitmap
        }
        guard last != nil else {
            throw ImageError(.unsupported, .encode, "an animation without frames cannot be encoded")
        }
        let data = file.finish()
        try request.check(outputByteCount: data.count)
        return data
    }

    private func makeWriter(
        _ size: PixelSize, layout: PNGLayout, _ attributes: PNGWriter.Attributes
    ) throws -> PNGWriter {
        let writer = try PNGWriter(size, layout: layout, attributes: attributes, request: request)
        // Without a converter, the colours of a broken profile remain those of sRGB, as decoders assume.
        if attributes.metadata.iccProfile != nil, !writer.hasProfile, request.colorConverter != nil {
            throw BrokenProfile()
        }
        return writer
    }

    private func still(_ bitmap: Bitmap, layout: PNGLayout, _ attributes: PNGWriter.Attributes) throws -> Data {
        let writer = try makeWriter(bitmap.size, layout: layout, attributes)
        let rowByteCount = layout.pixelByteCount == 4 ? 0 : bitmap.size.width * layout.pixelByteCount
        var row = [UInt8](repeating: 0, count: rowByteCount)
        for y in 0..<bitmap.size.height {
            try request.checkCancellation()
            switch layout {
            case .rgb, .rgba:
                try bitmap.withPixels { pixels throws in try writer.append(row: pixels.extracting(bitmap.size.row(y))) }
            case .gray, .grayAlpha:
                // Grey is the first of four channels, and alpha the last.
                let (count, step) = layout.pixelByteCount == 1 ? (1, 0) : (2, 3)
                bitmap.withPixels { pixels in
                    let start = y * bitmap.size.width * 4
                    for index in row.indices { row[index] = pixels[start + index / count * 4 + index % count * step] }
                }
                try writer.append(row: row.span)
            case .palette(let palette):
                unsafe bitmap.withWords { words in
                    for x in row.indices {
                        let bits = unsafe UInt32(littleEndian: words[y * bitmap.size.width + x])
                        row[x] = palette.index(of: PackedColor(bits: bits))
                    }
                }
                try writer.append(row: row.span)
            }
        }
        return try writer.finish()
    }
}

/// A frame has alpha, but the layout chosen from the previous frames has none.
private struct LayoutLacksAlpha: Error {}

/// libpng has left out the profile.
private struct BrokenProfile: Error {}

/// Stops the search for colours when they are decided.
private struct PaletteOverflow: Error {}

extension EncodeRequest {
    /// The animation to encode; `nil` for a still.
    fileprivate var framesToEncode: Animation? {
        guard !context.usesFirstFrameOnly else { return nil }
        return image.animation.flatMap { $0.frameCount > 1 ? $0 : nil }
    }

    /// Returns the bitmap of a still, or of an animation with one frame.
    fileprivate func stillToEncode() throws -> Bitmap {
        var bitmap: Bitmap?
        if !context.usesFirstFrameOnly { try forEachFrame { bitmap = bitmap ?? $0.bitmap } }
        return bitmap ?? image.bitmap
    }

    /// Calls `body` with every frame of the animation to encode, or with the still.
    func forEachEncodedFrame(_ body: (Frame) throws -> Void) throws {
        guard framesToEncode == nil else { return try forEachFrame(body) }
        try body(Frame(stillToEncode(), duration: .zero))
    }
}
