import DarkroomCore
import DarkroomPlatform

extension MessageWriter {
    mutating func put(_ limits: DecodeLimits) {
        for number in DecodeLimits.numbers { put(limits[keyPath: number]) }
        put(limits.workTime)
    }

    /// Writes the options of Core that coders and the steps after them read, and the values of `keys`.
    mutating func put(_ context: ImageContext, keys: [any CoderContextKey.Type]) throws {
        put(context.limits)
        put(context.thumbnail) { $0.put($1) }
        put(context.scaleDownByteCount) { $0.put($1) }
        put(context.usesFirstFrameOnly)
        put(context.keepsProfile)
        put(context.acceptsIncomplete)
        put(context.colorSpace.rawValue)
        put(context.quality) { $0.put($1) }
        put(context.encoderQuality) { $0.put($1) }
        put(context.background) { $0.put($1) }
        put(context.encodedByteLimit) { $0.put($1) }
        put(context.keptMetadata.rawValue)
        let values = try keys.map { try $0.encodedValue(in: context) }
        put(values) { $0.put($1) { $0.put($1) } }
    }

    private mutating func put(_ thumbnail: Thumbnail) {
        put(thumbnail.width)
        put(thumbnail.height)
        put(UInt8(thumbnail.mode == .fit ? 0 : thumbnail.mode == .stretch ? 1 : 2))
        put(thumbnail.focus.x)
        put(thumbnail.focus.y)
        put(thumbnail.inLinearLight)
    }

    private mutating func put(_ color: Color) {
        for channel in [color.red, color.green, color.blue, color.alpha] { put(channel) }
    }
}

extension MessageReader {
    mutating func limits() throws(MalformedMessage) -> DecodeLimits {
        var limits = DecodeLimits()
        for number in DecodeLimits.numbers { limits[keyPath: number] = try int() }
        limits.workTime = try duration()
        return limits
    }

    /// Reads options, with the values of `keys`.
    mutating func context(keys: [any CoderContextKey.Type]) throws -> ImageContext {
        var context = ImageContext()
        context.limits = try limits()
        if let thumbnail = try optional({ reader throws(MalformedMessage) in try reader.thumbnail() }) {
            context.thumbnail = thumbnail
        }
        if try bool() { context.scaleDownByteCount = try int() }
        if try bool() { context.usesFirstFrameOnly = true }
        if try bool() { context.keepsProfile = true }
        if try bool() { context.acceptsIncomplete = true }
        if let space = OutputColorSpace(rawValue: try string()), space != .sRGB { context.colorSpace = space }
        if try bool() { context.quality = try double() }
        if try bool() { context.encoderQuality = try double() }
        if try bool() { context.background = try color() }
        if try bool() { context.encodedByteLimit = try int() }
        let kept = MetadataKinds(rawValue: try int())
        if !kept.isEmpty { context.keptMetadata = kept }
        let values = try list(byteCount: 1) { reader throws(MalformedMessage) in
            try reader.optional { reader throws(MalformedMessage) in try reader.data() }
        }
        guard values.count == keys.count else { throw MalformedMessage() }
        for (key, value) in zip(keys, values) {
            if let value { try key.setValue(encodedAs: value, in: &context) }
        }
        return context
    }

    private mutating func thumbnail() throws(MalformedMessage) -> Thumbnail {
        let (width, height, mode) = (try double(), try double(), try integer(UInt8.self))
        let focus = Thumbnail.Focus(x: try double(), y: try double())
        return Thumbnail(
            width: width, height: height, mode: mode == 0 ? .fit : mode == 1 ? .stretch : .cover, focus: focus,
            inLinearLight: try bool())
    }

    private mutating func color() throws(MalformedMessage) -> Color {
        Color(red: try integer(), green: try integer(), blue: try integer(), alpha: try integer())
    }
}
