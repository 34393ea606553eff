import DarkroomCore
import DarkroomPlatform

/// Previews the first frame of an animation once it is complete, and counts the frames that arrive.
struct WebPAnimationPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private var container: WebPContainer
    private var file = Data()
    private var first: Bitmap?

    /// Creates a decoder. `container` must have been read from the data of `request`.
    init(for request: DecodeRequest, container: WebPContainer) {
        self.request = request
        self.container = container
    }

    var frameDurations: [Duration] { container.frameDurations.count > 1 ? container.frameDurations : [] }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        try request.checkCancellation()
        file.append(bytes)
        // The container already has the first frame, whose bytes are appended only now.
        guard try container.firstFrame.isComplete(in: file) else { return nil }
        try container.continueReading(request.headerRequest(of: file))
        guard first == nil else { return nil }
        first = try container.firstFrameBitmap(of: file, for: request)
        return first
    }

    mutating func finish() throws -> Bitmap {
        let whole = try WebPContainer(request.headerRequest(of: file))
        whole.noteTruncation(for: request)
        // A later frame may have made the canvas transparent.
        if let first, first.hasAlpha == whole.hasAlpha { return first }
        return try whole.firstFrameBitmap(of: file, for: request)
    }
}
