public import DarkroomPlatform

/// A coder, which decodes the bytes of some formats into pixels. It is stateless and may be called on any thread.
public protocol ImageCoder: ImagePlugin {
    /// The formats that the coder decodes.
    var formats: [ImageFormat] { get }

    /// Returns whether this coder decodes `data`. By default, a signature of `formats` must match.
    ///
    /// A coder of a format without a signature implements it with whatever the header allows to check. It is asked after all
    /// coders whose formats have signatures. `data` is a complete file or, while previews are made during a transfer, a prefix
    /// of any length; it is passed again when it has grown.
    func canDecode(_ data: Data) -> Bool

    /// Reads the header, without decoding pixels.
    ///
    /// A coder that scans the file must respect `request.limits` and call `request.checkCancellation()`.
    ///
    /// - Throws: An `ImageError` of kind `incomplete` if the bytes are the start of a file and the header is
    /// incomplete.
    func info(of request: InfoRequest) throws -> ImageInfo

    /// Decodes the first frame, in its stored orientation.
    ///
    /// The result may have any size from `request.target` up to the stored size. Core resizes it to the exact one.
    func decode(_ request: DecodeRequest) throws -> Bitmap

    /// The keys of its own that the coder reads in a context, to decode or to encode. The default is none.
    ///
    /// If another process does the work of the coder, only the values of these keys, and of Core's, are sent to it. All
    /// others have their defaults there.
    var contextKeys: [any CoderContextKey.Type] { get }
}

extension ImageCoder {
    /// Returns whether a signature of `formats` matches.
    public func canDecode(_ data: Data) -> Bool { formats.contains { $0.matches(data) } }

    /// Returns no keys.
    public var contextKeys: [any CoderContextKey.Type] { [] }

    /// Registers the coder, which takes precedence over those already registered.
    public func install(in components: inout ImageManager.Components) { components.coders.register(self) }
}
