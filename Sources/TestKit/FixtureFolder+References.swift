public import DarkroomCore
public import DarkroomPlatform

extension FixtureFolder {
    /// A file, and its pixels according to another program.
    public struct Fixture: Sendable, CustomStringConvertible {
        /// The name of the file.
        public let name: String

        /// The bytes of the file.
        public let data: Data

        /// The pixels of the reference image.
        public let expected: Bitmap

        /// The name of the file, with which a test reports its argument.
        public var description: String { name }
    }

    /// Creates the folder `Fixtures` that lies beside a source file, whose path is `#filePath`.
    public init(beside file: String) {
        self.init(URL(filePath: file).deletingLastPathComponent().appending(path: "Fixtures"))
    }

    /// Returns the files with the extension `fileExtension` and their reference images, in the order of their names.
    ///
    /// The reference image of `cat.qoi` is `cat.png` if `references` is the coder of PNG.
    ///
    /// - Throws: A ``ContractViolation`` if there are none, and the error of an image that cannot be read.
    public func fixtures(
        withExtension fileExtension: String, references: some ImageCoder
    ) throws -> [Fixture] {
        try files(withExtension: fileExtension).map { try fixture($0.lastPathComponent, references: references) }
    }

    /// Returns the file with this name and its reference image.
    public func fixture(_ name: String, references: some ImageCoder) throws -> Fixture {
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        guard let format = references.formats.first else {
            throw Subject(self).violation("the references have no format")
        }
        let reference = try data(of: "\(stem).\(format.fileExtension)")
        return Fixture(
            name: name, data: try data(of: name), expected: try CoderRegistry([references]).decode(reference).bitmap)
    }

    /// Returns the bytes of the file with this name.
    public func data(of name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }
}
