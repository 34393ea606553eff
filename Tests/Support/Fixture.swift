public import DarkroomCore
public import FoundationEssentials
public import Testing

/// An image in `Tests/Fixtures`, and its pixels according to an independent tool.
public struct Fixture: Hashable, Sendable, CustomTestStringConvertible {
    /// The name of the file.
    public let name: String

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// Creates the fixture with this name. It stops the tests if there is none.
    public init(_ name: String) {
        self.name = name
        precondition(FileManager.default.fileExists(atPath: url.path), "no fixture \(name): run Scripts/make-fixtures")
    }

    /// The URL of the file.
    public var url: URL { Self.folder.appending(path: name) }

    /// The bytes of the file.
    public var data: Data {
        // FoundationEssentials leaks a buffer when it reads an empty file, which the address sanitizer would report.
        let byteCount = try! FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64
        return byteCount == 0 ? Data() : try! Data(contentsOf: url)
    }

    /// The name of the file, for the test's argument.
    public var testDescription: String { name }

    /// Returns all valid images of `format`. It stops the tests if there are none, because an empty sweep would pass.
    public static func all(of format: ImageFormat) -> [Fixture] { list(of: format, in: nil) }

    /// Returns all files of `format` that are invalid, or that exceed limits.
    public static func broken(of format: ImageFormat) -> [Fixture] { list(of: format, in: "broken") }

    private static func list(of format: ImageFormat, in subfolder: String?) -> [Fixture] {
        let path = subfolder.map { folder.appending(path: $0) } ?? folder
        let names = try! FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
        let extensions = format == .jpeg ? [".jpg", ".jpeg"] : [".\(format.fileExtension)"]
        let fixtures = names.filter { name in extensions.contains { name.hasSuffix($0) } }
        precondition(!fixtures.isEmpty, "no fixtures of \(format): run Scripts/make-fixtures")
        return fixtures.map { name in Fixture(subfolder.map { "\($0)/\(name)" } ?? name) }
    }

    /// Returns the upright RGBA pixels as decoded by the tool named in `Tests/Fixtures/README.md`. They are in the
    /// accompanying file `<name>.rgba`: width and height as big-endian 32-bit numbers, then the pixels. Fully
    /// transparent pixels are zero.
    public func expectedBitmap(hasAlpha: Bool) throws -> Bitmap {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: url.path + ".rgba")))
        func number(at offset: Int) -> Int { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return try Bitmap(PixelSize(number(at: 0), number(at: 4)), hasAlpha: hasAlpha) { pixels in
            for index in pixels.indices { pixels[index] = bytes[8 + index] }
        }
    }
}
