import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows the first frame of an animation once it is complete, and counts the frames that come.
struct WebPAnimationPreviews: PreviewDecoder {
    private let request: DecodeRequest
    private var container: WebPContainer
    private var file = Data()
    private var first: Bitmap?

    /// `container` is what the bytes that `request` has tell.
    init(_ request: DecodeRequest, _ container: WebPContainer) {
        self.request = request
        self.container = container
    }

    var frameDurations: [Double] { container.frameDurations.count > 1 ? container.frameDurations : [] }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        try request.checkCancellation()
        file.append(bytes)
        // The container has the first frame from the start, of bytes that are appended only now.
        guard try container.firstFrame.isComplete(in: file) else { return nil }
        try container.readOn(request.headerRequest(of: file))
        guard first == nil else { return nil }
        first = try container.firstPicture(file, request)
        return first
    }

    mutating func finish() throws -> Bitmap {
        let whole = try WebPContainer(request.headerRequest(of: file))
        // A later frame may have made the canvas transparent.
        if let first, first.hasAlpha == whole.hasAlpha { return first }
        return try whole.firstPicture(file, request)
    }
}
