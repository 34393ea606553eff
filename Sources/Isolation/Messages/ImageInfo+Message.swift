import DarkroomCore
import DarkroomPlatform

extension MessageWriter {
    mutating func put(_ size: PixelSize) {
        put(size.width)
        put(size.height)
    }

    mutating func put(_ info: ImageInfo) {
        put(info.format.identifier)
        put(info.storedSize)
        put(info.orientation.rawValue)
        put(info.hasAlpha)
        put(info.bitsPerChannel)
        put(info.colorModel.rawValue)
        put(info.iccProfile) { $0.put($1) }
        put(info.calibration) { $0.put($1) }
        put(info.exif) { $0.put($1) }
        put(info.xmp) { $0.put($1.data) }
        put(info.iptc) { $0.put($1) }
        put(info.comments) { $0.put($1) }
        put(info.frameCount)
        put(info.loopCount)
        put(info.frameDurations) { $0.put($1) }
        put(info.isScalable)
    }

    private mutating func put(_ calibration: Calibration) {
        for point in [calibration.white, calibration.red, calibration.green, calibration.blue] {
            put(point.x)
            put(point.y)
        }
        put(calibration.curve.rawValue)
        put(calibration.exponent)
    }

    private mutating func put(_ exif: Exif) {
        put(exif.data)
        put(exif.orientation.rawValue)
        put(exif.dateTime) { $0.put($1) }
        put(exif.hasLocation)
    }
}

extension MessageReader {
    mutating func size() throws(MalformedMessage) -> PixelSize { PixelSize(try int(), try int()) }

    /// Reads a header, whose format is one of `formats`.
    mutating func info(formats: [ImageFormat]) throws(MalformedMessage) -> ImageInfo {
        let name = try string()
        guard let format = formats.first(where: { $0.identifier == name }) else { throw MalformedMessage() }
        var info = ImageInfo(format: format, storedSize: try size())
        info.orientation = try value(Orientation(rawValue: try int()))
        info.hasAlpha = try bool()
        info.bitsPerChannel = try int()
        info.colorModel = try value(ImageInfo.ColorModel(rawValue: try string()))
        info.iccProfile = try optional { reader throws(MalformedMessage) in try reader.data() }
        info.calibration = try optional { reader throws(MalformedMessage) in try reader.calibration() }
        info.exif = try optional { reader throws(MalformedMessage) in try reader.exif() }
        // It is opaque: only whether it begins like XML is looked at.
        info.xmp = try optional { reader throws(MalformedMessage) in try reader.data() }.flatMap { XMP($0) }
        info.iptc = try optional { reader throws(MalformedMessage) in try reader.data() }
        info.comments = try list(byteCount: 8) { reader throws(MalformedMessage) in try reader.string() }
        info.frameCount = try int()
        info.loopCount = try count()
        info.frameDurations = try frameDurations()
        info.isScalable = try bool()
        let isAnimated = info.frameCount > 1
        guard info.frameCount >= 1, (1...16).contains(info.bitsPerChannel),
            info.frameDurations.count == (isAnimated ? info.frameCount : 0)
        else { throw MalformedMessage() }
        return info
    }

    /// Reads the durations of frames.
    mutating func frameDurations() throws(MalformedMessage) -> [Duration] {
        try list(byteCount: 16) { reader throws(MalformedMessage) in try reader.frameDuration() }
    }

    /// Reads the duration of a frame. The sum of as many as a file has can be represented.
    mutating func frameDuration() throws(MalformedMessage) -> Duration {
        let duration = try duration()
        guard (.zero ... .seconds(Int64(1) << 40)).contains(duration) else { throw MalformedMessage() }
        return duration
    }

    private func value<Value>(_ value: Value?) throws(MalformedMessage) -> Value {
        guard let value else { throw MalformedMessage() }
        return value
    }

    private mutating func point() throws(MalformedMessage) -> Calibration.Chromaticity {
        Calibration.Chromaticity(x: try double(), y: try double())
    }

    private mutating func calibration() throws(MalformedMessage) -> Calibration {
        let (white, red, green, blue) = (try point(), try point(), try point(), try point())
        let curve = try value(Calibration.Curve(rawValue: try string()))
        var calibration = Calibration(exponent: try double())
        (calibration.white, calibration.red, calibration.green, calibration.blue) = (white, red, green, blue)
        calibration.curve = curve
        return calibration
    }

    private mutating func exif() throws(MalformedMessage) -> Exif {
        let data = try data()
        let orientation = try value(Orientation(rawValue: try int()))
        let dateTime = try optional { reader throws(MalformedMessage) in try reader.string() }
        return Exif(parsed: data, orientation: orientation, dateTime: dateTime, hasLocation: try bool())
    }
}
