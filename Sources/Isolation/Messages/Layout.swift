/// The calls to a worker.
enum Operation: UInt8 {
    /// Which coder accepts a file.
    case choose = 1
    case header
    case pixels
    /// The pixels as the coder decodes them, without what Core does with them.
    case unfinishedPixels
    case openFrames
    case nextFrame
    case openPreviews
    case appendPreview
    case finishPreviews
    case encode
    case selectMetadata
}

/// How a worker replies.
enum Status: UInt8 {
    case done = 0
    /// The payload is an error.
    case failed
    /// The worker no longer has what the call refers to.
    case forgotten
    /// There is no frame, preview or file.
    case none
}

/// The memory that a worker shares with its parent. All of it is sparse: pages that nobody has touched take none.
enum Layout {
    /// In the input, which only the parent writes, the first byte asks the worker to stop.
    static let inputOffset = 64
    static let inputCapacity = 64 << 20
    static var inputByteCount: Int { inputOffset + inputCapacity }

    /// The output, which the worker writes, begins with the payload of a reply, and pixels or a file follow.
    static let payloadCapacity = 32 << 20
    static let pixelCapacity = 64 << 20
    static var outputByteCount: Int { payloadCapacity + pixelCapacity }

    /// The largest packet.
    static let packetCapacity = 65_536

    /// The socket of a worker.
    static let channel: Int32 = 3

    /// The variable that makes a process a worker.
    static let variable = "DARKROOM_WORKER"
}
