public import DarkroomPlatform

/// A folder of files with which a plug-in is tested.
public struct FixtureFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Creates the folder at `url`, which need not exist.
    public init(_ url: URL) { self.url = url }

    /// Whether the folder exists and has nothing in it but a README and hidden files, as in a new package.
    public var isEmpty: Bool {
        (try? names)?.allSatisfy { $0.hasPrefix(".") || $0.hasPrefix("README") } ?? false
    }

    /// Returns the files with the extension `fileExtension`, in the order of their names.
    ///
    /// - Throws: A ``ContractViolation`` if there are none: tests of an empty list would pass.
    public func files(withExtension fileExtension: String) throws -> [URL] {
        let subject = Subject(self)
        do {
            let files = try names.filter { $0.hasSuffix(".\(fileExtension)") }.map { url.appending(path: $0) }
            try subject.require(!files.isEmpty, "there are no files with the extension .\(fileExtension)")
            return files
        } catch let violation as ContractViolation {
            throw violation.naming(url.path)
        } catch {
            throw subject.violation("the folder cannot be read").naming(url.path)
        }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}
