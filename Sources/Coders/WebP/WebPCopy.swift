public import DarkroomCore
public import DarkroomPlatform

extension WebPCoder {
    /// Returns the file with the chunks that show the image: pixels, alpha, frames and the profile.
    public func fileWithoutMetadata(_ request: InfoRequest) throws -> Data? {
        var chunks = try WebPChunks(file: request.data)
        var (body, isExtended, isFirst) = (Data(capacity: request.data.count), false, true)
        while let chunk = try chunks.next() {
            try request.checkCancellation()
            guard chunk.isComplete else { return nil }
            defer { isFirst = false }
            if chunk.name == "VP8X" {
                guard isFirst, chunk.payload.count >= 10 else { return nil }
                isExtended = true
                body.append(chunk: "VP8X", payload: chunk.payload.withoutMetadataFlags)
            } else if isFirst || isExtended && chunk.name.isShown {
                body.append(chunk.bytes)
                if chunk.byteCount % 2 == 1 { body.append(0) }
            }
        }
        guard !body.isEmpty, let size = UInt32(exactly: body.count + 4) else { return nil }
        var file = Data("RIFF".utf8)
        file.append(littleEndian: Int(size), byteCount: 4)
        return file + Data("WEBP".utf8) + body
    }
}

extension WebPCoder {
    /// Returns `file` in the extended format, with the chunks of the metadata behind those of the image.
    public func file(_ file: Data, withMetadataOf request: EncodeRequest) throws -> Data? {
        guard request.exif != nil || request.xmp != nil else { return file }
        let container = try WebPContainer(InfoRequest(data: file, limits: request.context.limits))
        var copy = WebPFile()
        (copy.hasAlpha, copy.isAnimated) = (container.hasAlpha, container.isAnimated)
        (copy.iccProfile, copy.exif, copy.xmp) = (container.iccProfile, request.exif?.data, request.xmp?.data)
        var chunks = try WebPChunks(file: file)
        while let chunk = try chunks.next() {
            try request.checkCancellation()
            guard chunk.name.isShown, chunk.name != "ICCP" else { continue }
            copy.body.append(chunk.bytes)
            if chunk.byteCount % 2 == 1 { copy.body.append(0) }
        }
        let data = try copy.bytes(canvas: container.size)
        try request.check(outputByteCount: data.count)
        return data
    }
}

extension WebPChunkName {
    private static let shown: Set<Self> = ["ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"]

    /// Whether chunks of this type affect how the image looks.
    fileprivate var isShown: Bool { Self.shown.contains(self) }
}

extension Data {
    /// The payload of a `VP8X` chunk that announces neither Exif nor XMP.
    fileprivate var withoutMetadataFlags: Data {
        var flags = WebPFlags(rawValue: self[startIndex])
        flags.subtract([.exif, .xmp])
        return Data([flags.rawValue]) + dropFirst()
    }
}
