/// The features declared in the header of an extended WebP.
struct WebPFlags: OptionSet {
    var rawValue: UInt8 = 0
    static let animation = WebPFlags(rawValue: 0x02)
    static let xmp = WebPFlags(rawValue: 0x04)
    static let exif = WebPFlags(rawValue: 0x08)
    static let alpha = WebPFlags(rawValue: 0x10)
    static let profile = WebPFlags(rawValue: 0x20)
}
