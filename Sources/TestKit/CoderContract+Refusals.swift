import DarkroomCore
public import DarkroomPlatform

extension CoderContract {
    /// Runs all checks that need no file: of the formats, and of bytes that are not an image.
    public func checkRefusals() throws {
        try checkFormats()
        try checkJunk()
    }

    /// Checks that there are formats, which do not change, with names that are valid in HTTP and file systems.
    public func checkFormats() throws {
        let formats = coder.formats
        try require(!formats.isEmpty, "it declares no format")
        try require(Set(formats).count == formats.count, "it declares a format twice")
        try require(coder.formats == formats, "its formats change")
        var all = formats
        if let encoder = coder as? any EncodingImageCoder {
            all += encoder.encodableFormats
            try require(encoder.encodableFormats == encoder.encodableFormats, "its encodable formats change")
        }
        for format in all {
            try require(!format.identifier.isEmpty, "a format has no identifier")
            let parts = format.mimeType.split(separator: "/", omittingEmptySubsequences: false)
            try require(
                parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenByte) },
                "\(format.mimeType.debugDescription) is not a media type")
            try require(
                !format.fileExtension.isEmpty && format.fileExtension.utf8.allSatisfy(\.isExtensionByte),
                "\(format.fileExtension.debugDescription) is not a lowercase file extension without a dot")
        }
    }

    /// Checks that empty data, text, random bytes and a signature followed by junk end in an `ImageError`.
    ///
    /// A format without a signature has none to be followed by junk; ``checkFile(_:named:)`` tries the start of its file.
    public func checkJunk() throws {
        try require(!coder.canDecode(Data()), "it accepts empty data")
        try require(!coder.canDecode(Data("not a picture".utf8)), "it accepts plain text")
        if coder.formats.contains(where: \.signatures.isEmpty) { try checkForeignFiles() }
        try requireRefusal(of: Data(), named: "empty data")
        try requireRefusal(of: Data("not a picture, but a line of text".utf8), named: "text")
        try checkJunk(after: Data(), named: "nothing")
        for signature in coder.formats.flatMap(\.signatures) {
            try checkJunk(after: Data(signature.bytes.map { $0 ?? 0 }), named: "a signature")
        }
    }

    /// Checks that the start of a file followed by junk ends in an `ImageError` or an image: the bytes by which the coder
    /// recognizes the file, and its whole header.
    public func checkJunk(afterStartOf data: Data) throws {
        let prefixes = (0...min(data.count, 4_096)).lazy.map { Data(data.prefix($0)) }
        try on(data) {
            if let start = prefixes.first(where: coder.canDecode) {
                try checkJunk(after: start, named: "the \(start.count) bytes that it recognizes")
            }
            if let header = headerPrefix(of: data) {
                try checkJunk(after: header, named: "the header of \(header.count) bytes")
            }
        }
    }

    private func checkJunk(after start: Data, named what: String) throws {
        var random = SeededGenerator(seed: 1)
        for byteCount in Array(1...80) + [255, 256, 1_000, 4_096, 10_000] {
            let junk = Data((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
            try checkDecode(of: start + junk, named: "\(what), then \(byteCount) random bytes")
            try checkDecode(of: start + Data(count: byteCount), named: "\(what), then \(byteCount) zeros")
            try checkDecode(
                of: start + Data(repeating: 255, count: byteCount), named: "\(what), then \(byteCount) bytes of 255")
        }
    }

    /// Checks that a coder that looks at more than signatures does not accept files of other formats, nor most files.
    private func checkForeignFiles() throws {
        for format in ImageFormat.signed where !coder.formats.contains(format) {
            for signature in format.signatures {
                let file = Data(signature.bytes.map { $0 ?? 0 }) + Data(count: 100)
                try require(!coder.canDecode(file), "it accepts the start of a \(format) file")
            }
        }
        var random = SeededGenerator(seed: 1)
        let acceptedCount = (0..<200).count { _ in
            coder.canDecode(Data((0..<100).map { _ in UInt8.random(in: 0...255, using: &random) }))
        }
        try require(acceptedCount < 100, "it accepts \(acceptedCount) of 200 files of random bytes")
    }

    private func requireRefusal(of data: Data, named what: String) throws {
        do {
            _ = try subject.trying(what) { try coder.info(of: data) }
        } catch {
            return try require(error.isProper, "\(what) ends in an error that is not an ImageError: \(error)")
        }
        try require(false, "\(what) is accepted as a header")
    }

    /// Checks that bytes are either an image or end in an `ImageError`.
    private func checkDecode(of data: Data, named what: String) throws {
        do {
            try subject.trying(what) {
                let info = try coder.info(of: data)
                let context = ImageContext { $0.limits = .forTrials }
                try context.limits.check(info)
                _ = try coder.decode(DecodeRequest(data: data, info: info, context: context))
            }
        } catch {
            try require(error.isProper, "\(what) ends in an error that is not an ImageError: \(error)")
        }
    }
}

extension ImageFormat {
    /// The formats of Darkroom's own coders.
    fileprivate static var signed: [ImageFormat] { [.png, .jpeg, .gif, .webp] }
}

extension UInt8 {
    fileprivate var isExtensionByte: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }

    /// Whether a media type may contain the byte (RFC 6838, section 4.2).
    fileprivate var isTokenByte: Bool {
        isExtensionByte || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || "!#$&-^_.+".utf8.contains(self)
    }
}
