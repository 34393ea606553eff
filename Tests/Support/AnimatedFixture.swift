public import DarkroomCore
public import FoundationEssentials
public import Testing

/// An animation in `Tests/Fixtures/animated`, and its parts as a script extracted them.
public struct AnimatedFixture: Hashable, Sendable, CustomTestStringConvertible {
    /// The name of the file.
    public let name: String

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/animated")

    /// Creates the fixture with this name.
    public init(_ name: String) { self.name = name }

    /// All animations. It stops the tests if there are none, because an empty sweep would pass.
    public static let all: [AnimatedFixture] = {
        let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let fixtures = names.filter { $0.hasSuffix(".patches") }.map { AnimatedFixture(String($0.dropLast(8))) }
        precondition(!fixtures.isEmpty, "no animated fixtures: run Scripts/make-fixtures")
        return fixtures
    }()

    /// Returns the animations of `format`.
    public static func all(of format: ImageFormat) -> [AnimatedFixture] {
        all.filter { $0.name.hasSuffix(".\(format.fileExtension)") }
    }

    /// The bytes of the file.
    public var data: Data { try! Data(contentsOf: Self.folder.appending(path: name)) }

    /// The contents of the accompanying file, `<name>.patches`.
    public var parts: AnimationParts {
        AnimationParts([UInt8](try! Data(contentsOf: Self.folder.appending(path: "\(name).patches"))))
    }

    /// The tolerated difference of channels: none, except for lossy codecs.
    public var tolerance: Int { name.contains("lossy") ? 2 : 0 }

    /// The name of the file, for the test's argument.
    public var testDescription: String { name }
}
