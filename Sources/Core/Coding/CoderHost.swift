package import DarkroomPlatform

/// Other processes, in which the coders of a registry work.
package protocol CoderHost: Sendable {
    /// Returns coders that do the work of `coders` elsewhere, in the same order.
    func hosted(_ coders: [any ImageCoder]) -> [any ImageCoder]

    /// Returns the one of `coders`, which are hosted, that accepts `data`, by the rules of the registry; `nil` if none does.
    func coder(for data: Data, among coders: [any ImageCoder]) throws(ImageError) -> (any ImageCoder)?

    /// Returns whether the signatures tell which of `coders` accepts `data`, so that no other process is asked.
    func recognizes(_ data: Data, among coders: [any ImageCoder]) -> Bool

    /// Throws an error if the host cannot run all of `coders`, which are hosted.
    func validate(_ coders: [any ImageCoder]) throws(ImageError)
}

/// A coder that accepts files by nothing but the signatures of its formats, as the default of `canDecode` does.
package protocol SignatureCoder: ImageCoder {}

/// An encoder that works in another process.
package protocol HostedEncoder: EncodingImageCoder {
    /// Returns the original `file` with the metadata that `request` selects; `nil` if the image must be encoded.
    func selectMetadata(of file: Data, for request: EncodeRequest) throws -> Data?
}

extension EncodingImageCoder {
    /// Returns the original `file` with the metadata that `request` selects, made in this process; `nil` if the image must
    /// be encoded.
    package func file(_ file: Data, selectingMetadataFor request: EncodeRequest) throws -> Data? {
        let bare = try withoutMetadata(file, request)
        guard let bare, request.hasMetadata else { return bare }
        return try self.file(bare, withMetadataOf: request)
    }

    /// Returns `file` without its metadata; `nil` if the coder cannot, or cannot read what follows the image.
    private func withoutMetadata(_ file: Data, _ request: EncodeRequest) throws -> Data? {
        let source = InfoRequest(data: file, limits: request.context.limits, monitor: request.monitor)
        do {
            return try fileWithoutMetadata(source)
        } catch let error as ImageError where error.isDataError || error.kind == .overLimit {
            return nil
        }
    }
}
