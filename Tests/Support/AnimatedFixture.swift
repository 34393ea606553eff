public import DarkroomCore
public import FoundationEssentials
public import Testing

/// An animation in `Tests/Fixtures/animated`, and what it consists of, as a script takes it apart.
public struct AnimatedFixture: Hashable, Sendable, CustomTestStringConvertible {
    /// The file's name.
    public let name: String

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/animated")

    /// The fixture of this name.
    public init(_ name: String) { self.name = name }

    /// All of them; it stops the tests when there are none, for an empty sweep would pass.
    public static let all: [AnimatedFixture] = {
        let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let fixtures = names.filter { $0.hasSuffix(".patches") }.map { AnimatedFixture(String($0.dropLast(8))) }
        precondition(!fixtures.isEmpty, "no animated fixtures: run Scripts/make-fixtures")
        return fixtures
    }()

    /// Those of `format`.
    public static func all(of format: ImageFormat) -> [AnimatedFixture] {
        all.filter { $0.name.hasSuffix(".\(format.fileExtension)") }
    }

    /// The file's bytes.
    public var data: Data { try! Data(contentsOf: Self.folder.appending(path: name)) }

    /// What the file beside it, `<name>.patches`, says.
    public var parts: AnimationParts {
        AnimationParts([UInt8](try! Data(contentsOf: Self.folder.appending(path: "\(name).patches"))))
    }

    /// How many levels a channel may be off: none, but where a lossy codec has its say.
    public var tolerance: Int { name.contains("lossy") ? 2 : 0 }

    /// The file's name, as the test's argument.
    public var testDescription: String { name }
}
