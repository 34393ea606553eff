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
    /// Throws an `ImageError` of kind `incomplete` when the bytes are the start of a file and the header is not all there.
    /// A file that is walked from part to part is walked within `request.limits`, and asks the request whether to go on.
    func info(of request: InfoRequest) throws -> ImageInfo

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
