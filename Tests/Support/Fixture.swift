public import DarkroomCore
public import FoundationEssentials
public import Testing

/// A picture in `Tests/Fixtures`, and what an independent tool says that it shows.
public struct Fixture: Hashable, Sendable, CustomTestStringConvertible {
    /// The file's name.
    public let name: String

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// The fixture of this name; it stops the tests when there is none.
    public init(_ name: String) {
        self.name = name
        precondition(FileManager.default.fileExists(atPath: url.path), "no fixture \(name): run Scripts/make-fixtures")
    }

    /// Where the file is.
    public var url: URL { Self.folder.appending(path: name) }

    /// The file's bytes.
    public var data: Data {
        // FoundationEssentials leaks a buffer when it reads an empty file, and the address sanitizer would say so.
        let byteCount = try! FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64
        return byteCount == 0 ? Data() : try! Data(contentsOf: url)
    }

    /// The file's name, as the test's argument.
    public var testDescription: String { name }

    /// All whole pictures of `format`; it stops the tests when there is none, for an empty sweep would pass.
    public static func all(of format: ImageFormat) -> [Fixture] { list(of: format, in: nil) }

    /// All files of `format` that are no whole picture, or that ask for too much.
    public static func broken(of format: ImageFormat) -> [Fixture] { list(of: format, in: "broken") }

    private static func list(of format: ImageFormat, in subfolder: String?) -> [Fixture] {
        let path = subfolder.map { folder.appending(path: $0) } ?? folder
        let names = try! FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
        let extensions = format == .jpeg ? [".jpg", ".jpeg"] : [".\(format.fileExtension)"]
        let fixtures = names.filter { name in extensions.contains { name.hasSuffix($0) } }
        precondition(!fixtures.isEmpty, "no fixtures of \(format): run Scripts/make-fixtures")
        return fixtures.map { name in Fixture(subfolder.map { "\($0)/\(name)" } ?? name) }
    }

    /// The upright RGBA pixels that the tool named in `Tests/Fixtures/README.md` decodes, kept beside as `<name>.rgba`:
    /// width and height as big-endian 32-bit numbers, then the pixels. Colour under alpha 0 is zero.
    public func expectedBitmap(hasAlpha: Bool) throws -> Bitmap {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: url.path + ".rgba")))
        func number(at offset: Int) -> Int { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return try Bitmap(PixelSize(number(at: 0), number(at: 4)), hasAlpha: hasAlpha) { pixels in
            for index in pixels.indices { pixels[index] = bytes[8 + index] }
        }
    }
}
