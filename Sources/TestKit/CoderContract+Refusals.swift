import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    public func checkJunk() throws {
        try require(!coder.canDecode(Data()), "it accepts empty data")
        try require(!coder.canDecode(Data("not a picture".utf8)), "it accepts plain text")
        try requireRefusal(of: Data(), named: "empty data")
        try requireRefusal(of: Data("not a picture, but a line of text".utf8), named: "text")
        var random = SeededGenerator(seed: 1)
        for byteCount in Array(1...80) + [255, 256, 1_000, 4_096, 10_000] {
            let junk = Data((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
            try checkDecode(of: junk, named: "\(byteCount) random bytes")
            try checkDecode(of: Data(count: byteCount), named: "\(byteCount) zeros")
            try checkDecode(of: Data(repeating: 255, count: byteCount), named: "\(byteCount) bytes of 255")
            for signature in coder.formats.flatMap(\.signatures) {
                let head = Data(signature.bytes.map { $0 ?? 0 })
                for rest in [junk, Data(count: byteCount), Data(repeating: 255, count: byteCount)] {
                    try checkDecode(of: head + rest, named: "a signature and \(byteCount) bytes of junk")
                }
            }
        }
    }

    private func requireRefusal(of data: Data, named what: String) throws {
        do {
            _ = try coder.info(of: data)
        } catch {
            return try require(error.isProper, "\(what) ends in an error that is not an ImageError: \(error)")
        }
        try require(false, "\(what) is accepted as a header")
    }

    /// Checks that bytes are either an image or end in an `ImageError`.
    private func checkDecode(of data: Data, named what: String) throws {
        do {
            let info = try coder.info(of: data)
            let context = ImageContext { $0.limits = .forTrials }
            try context.limits.check(info)
            _ = try coder.decode(DecodeRequest(data: data, info: info, context: context))
        } catch {
            try require(error.isProper, "\(what) ends in an error that is not an ImageError: \(error)")
        }
    }
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
