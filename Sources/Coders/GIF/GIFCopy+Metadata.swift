public import DarkroomCore
public import DarkroomPlatform

extension GIFCoder {
    /// Returns `file` with comments and XMP at its end.
    public func file(_ file: Data, withMetadataOf request: EncodeRequest) throws -> Data? {
        guard file.last == 0x3B, file.count > 13 else { return nil }
        // The first version has no such blocks.
        var data = Data("GIF89a".utf8) + file.dropFirst(6).dropLast()
        for comment in request.comments {
            data += [0x21, 0xFE]
            let text = Array(comment.utf8)
            for start in stride(from: 0, to: text.count, by: 255) {
                let block = text[start..<min(start + 255, text.count)]
                data += [UInt8(block.count)] + block
            }
            data.append(0)
        }
        if let xmp = request.xmp {
            // The packet is not split into blocks. Its trailer leads a reader of blocks to the end.
            data += [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
            data += xmp.data + GIFMetadata.xmpTrailer + [0]
        }
        data.append(0x3B)
        try request.check(outputByteCount: data.count)
        return data
    }
}
