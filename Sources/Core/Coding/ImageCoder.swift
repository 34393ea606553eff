#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Turns the bytes of some formats into pixels: a pure function, without state, called from any thread.
public protocol ImageCoder: ImagePlugin {
    /// The formats it knows.
    var formats: [ImageFormat] { get }

    /// Whether `data` is for this coder. The default: it starts like one of `formats`.
    func canDecode(_ data: Data) -> Bool

    /// Reads the header, and no pixels.
    ///
    /// Throws an `ImageError` of kind `incomplete` when `data` is the start of a file and the header is not all there.
    func info(of data: Data) throws -> ImageInfo

    /// Decodes the first frame, in the orientation it is stored in.
    ///
    /// The result may have any size from `request.target` up to the stored size: Core makes the exact one.
    func decode(_ request: DecodeRequest) throws -> Bitmap
}

extension ImageCoder {
    /// The default: whether a signature of `formats` matches.
    public func canDecode(_ data: Data) -> Bool { formats.contains { $0.matches(data) } }

    /// Registers the coder, which is asked before all others from now on.
    public func install(in components: inout ImageManager.Components) { components.coders.register(self) }
}

/// What a coder is asked. A struct, so that a new field breaks no plug-in.
public struct DecodeRequest: Sendable {
    /// The encoded bytes.
    public let data: Data

    /// What `info(of:)` said about them.
    public let info: ImageInfo

    /// What the caller can use, in stored orientation. Give at least this many pixels where that is cheap.
    public let target: PixelSize

    /// What the caller wants.
    public let context: ImageContext

    /// Converts rows to sRGB; `nil` when no colour engine is installed, and pixels are passed on as they are.
    public let colorConverter: (any ColorConverter)?

    private let cancellation: CancellationFlag?

    /// A request for `data`; a target of `nil` asks for the stored size.
    public init(
        data: Data, info: ImageInfo, target: PixelSize? = nil, context: ImageContext = .init(),
        colorConverter: (any ColorConverter)? = nil, cancellation: CancellationFlag? = nil
    ) {
        self.data = data
        self.info = info
        self.target = target ?? info.storedSize
        self.context = context
        self.colorConverter = colorConverter
        self.cancellation = cancellation
    }

    /// Throws when nobody waits for the result any more. Ask once a row, frame or scan.
    public func checkCancellation() throws { try cancellation?.check() }

    /// Whether nobody waits for the result any more: for C code that asks by callback.
    public var isCancelled: Bool { cancellation?.isSet ?? false }
}
