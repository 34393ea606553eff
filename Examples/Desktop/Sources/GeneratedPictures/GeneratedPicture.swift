public import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
public import FoundationEssentials

/// A picture of a wall of thousands, drawn when it is asked for: a landscape, an animation, or a file that is missing.
public struct GeneratedPicture: Hashable, Sendable {
    /// The contents of a wall.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Landscapes.
        case photo
        /// Areas of one colour that encodes the number of the picture, for tests.
        case coded
    }

    /// The kinds of pictures.
    public enum Kind: Hashable, Sendable {
        case still, animation, missing
    }

    /// The contents of the wall.
    public let style: Style

    /// The number of the picture.
    public let index: Int

    private static let coders = CoderRegistry([GIFCoder(), JPEGCoder(), PNGCoder()])

    private static let codedStill = Result {
        let picture = Self(.coded, CodedFile.index)
        return CodedFile(try coders.encode(picture.image(of: picture.frame(0)), as: .png))
    }

    private static let codedAnimation = Result {
        CodedFile(try coders.encode(Self(.coded, CodedFile.index).animation, as: .gif))
    }

    /// Creates picture `index` of a wall.
    public init(_ style: Style, _ index: Int) {
        self.style = style
        self.index = index
    }

    /// Creates the picture with the path that `path` returns; `nil` if there is none.
    public init?(path: some StringProtocol) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard parts.count == 2, let style = Style(rawValue: String(decoding: parts[0], as: UTF8.self)),
            let name = parts[1].split(separator: UInt8(ascii: ".")).first,
            let index = Int(String(decoding: name, as: UTF8.self)), index >= 0
        else { return nil }
        self.init(style, index)
    }

    /// The kind: every 11th picture is an animation, and every 23rd is missing.
    public var kind: Kind { index % 23 == 5 ? .missing : index % 11 == 3 ? .animation : .still }

    /// The path of a URL, such as `/photo/12.jpg`.
    public var path: String {
        let suffix = kind == .animation ? "gif" : style == .coded ? "png" : "jpg"
        return "/\(style.rawValue)/\(index).\(suffix)"
    }

    /// The media type.
    public var contentType: String { kind == .animation ? "image/gif" : style == .coded ? "image/png" : "image/jpeg" }

    /// Returns the file; `nil` if it is missing.
    public func file() throws -> Data? {
        switch (kind, style) {
        case (.missing, _): nil
        case (.still, .coded): try Self.codedStill.get().file(showing: index)
        case (.animation, .coded): try Self.codedAnimation.get().file(showing: index)
        case (.animation, .photo): try Self.coders.encode(animation, as: .gif)
        case (.still, .photo):
            try Self.coders.encode(
                image(of: frame(0)), as: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = true })
        }
    }

    /// Returns the number of the picture that `bitmap` shows a frame of; `nil` if it shows none of ``Style/coded``.
    public static func index(codedIn bitmap: Bitmap) -> Int? {
        guard let color = bitmap.color(x: bitmap.size.width / 2, y: bitmap.size.height / 2) else { return nil }
        return index(codedBy: color)
    }

    /// Returns the number of the picture with areas of `color`.
    public static func index(codedBy color: Color) -> Int? {
        blues.contains(Int(color.blue)) ? Int(color.red) | Int(color.green) << 8 : nil
    }

    private static let frameCount = 6

    /// The blue components of the frames of ``Style/coded``.
    static let blues = 160..<160 + frameCount

    private var animation: Image {
        get throws {
            let frames = try (0..<Self.frameCount).map { Frame(try frame($0), duration: .milliseconds(80)) }
            guard let image = Image(frames: frames, format: .gif) else { return try image(of: frame(0)) }
            return image
        }
    }

    private func image(of bitmap: Bitmap) -> Image {
        Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    private func frame(_ number: Int) throws -> Bitmap {
        guard style == .photo else {
            let color = Color(
                red: UInt8(index & 255), green: UInt8(index >> 8 & 255), blue: UInt8(Self.blues.lowerBound + number))
            return try Bitmap(PixelSize(360, 240), hasAlpha: false) { pixels in
                for y in 0..<240 { pixels.fill(0..<360, of: y, width: 360, with: color) }
            }
        }
        let size = kind == .animation ? PixelSize(270, 180) : PixelSize(960, 640)
        return try Landscape(seed: index, size: size, time: Double(number) / Double(Self.frameCount)).bitmap()
    }
}
