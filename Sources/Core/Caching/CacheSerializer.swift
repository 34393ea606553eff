#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes the bytes that a data cache keeps, in place of those that came and of the manager's result format.
///
/// A typical one keeps pictures of a format that decodes slowly as something faster.
public protocol CacheSerializer: ImagePlugin {
    /// The file to keep of `image`; `nil` for what would be kept without a serializer.
    ///
    /// It is asked once for each file: for a plain picture with both image and bytes, for a thumbnail or transformed
    /// picture with the image alone, and for the original behind one of those with its bytes alone. It runs on a thread
    /// that may wait. What it throws means that nothing is kept.
    func data(for image: Image?, encoded: Data?, url: URL) throws -> Data?
}

extension CacheSerializer {
    /// Makes this the serializer of a manager.
    public func install(in components: inout ImageManager.Components) { components.serializer = self }
}
