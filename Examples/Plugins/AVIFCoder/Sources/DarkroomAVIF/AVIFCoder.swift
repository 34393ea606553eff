import CAVIF
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads AVIF, still and animated, and writes stills, by libavif.
public struct AVIFCoder: AnimatedImageCoder, EncodingImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// AVIF alone.
    public var formats: [ImageFormat] { [.avif] }

    /// Whether the file says that it may be read as AVIF; it need not be its first brand.
    public func canDecode(_ data: Data) -> Bool {
        unsafe data.prefix(4096).withUnsafeBytes { bytes in
            var head = unsafe avifROData(
                data: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
            return unsafe bytes.count >= 12 && avifPeekCompatibleFileType(&head) != 0
        }
    }

    /// Reads the boxes, and no pixels.
    public func info(of request: InfoRequest) throws -> ImageInfo { try AVIFFile(request.data).info }

    /// The still, or the first frame, at the size it has: AV1 cannot be decoded smaller.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let file = try AVIFFile(request.data)
        try request.checkCancellation()
        guard try file.decodeNext(request.context.limits) else {
            throw ImageError(.corrupt, .decode, "the AVIF has no picture")
        }
        try request.checkCancellation()
        return try file.bitmap(request.context.limits)
    }

    /// The frames, each of which AV1 makes whole.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder { try AVIFFrames(request) }

    /// Writes a still with the context's `quality`, which is 0.75 unless set; 1 is without loss.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let encoding = try AVIFEncoding(request.still(), request.context)
        if let profile = request.iccProfile { encoding.setProfile(profile) }
        if let exif = request.exif { encoding.setExif(exif.data) }
        try request.checkCancellation()
        return try encoding.file()
    }
}

/// Plays an animation once. One task owns it.
private struct AVIFFrames: FrameDecoder {
    let request: DecodeRequest
    let file: AVIFFile
    private var next = 0

    init(_ request: DecodeRequest) throws {
        self.request = request
        file = try AVIFFile(request.data)
    }

    mutating func nextFrame() throws -> Frame? {
        guard next < request.info.frameCount else { return nil }
        defer { next += 1 }
        try request.checkCancellation()
        try file.decode(frame: next, request.context.limits)
        return Frame(try file.bitmap(request.context.limits), duration: request.info.frameDurations[next])
    }

    /// libavif begins at the last frame before it that needs no other.
    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}
