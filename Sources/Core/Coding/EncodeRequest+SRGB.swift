extension EncodeRequest {
    /// Returns the request with pixels in sRGB, for a file that has no room for their profile. Frames of an animation are
    /// converted when they are requested. A profile that the converter cannot read counts as sRGB.
    ///
    /// - Throws: An error of kind `unsupported` if the pixels have a profile and no colour converter is installed.
    public func inSRGB() throws -> EncodeRequest {
        guard let profile = image.metadata.iccProfile else { return self }
        guard let colorConverter else {
            throw ImageError(
                .unsupported, .encode,
                "the colour profile cannot be stored in this \(format); load the image without context.keepsProfile, or install a colour converter, which is not used for animations of isolated coders"
            )
        }
        var source = ImageInfo(format: image.info.format, storedSize: image.size)
        source.iccProfile = profile
        var metadata = image.metadata
        metadata.iccProfile = nil
        let bitmap = try image.bitmap.inSRGB(
            from: source, by: colorConverter, limits: context.limits, checkCancellation: checkCancellation)
        let animation = image.animation?.map { [source, context] frame in
            try frame.inSRGB(from: source, by: colorConverter, limits: context.limits) {}
        }
        let converted = Image(info: image.info, bitmap: bitmap, animation: animation, metadata: metadata)
        return EncodeRequest(converted, like: self)
    }
}

extension Bitmap {
    fileprivate func inSRGB(
        from source: ImageInfo, by converter: any ColorConverter, limits: DecodeLimits,
        checkCancellation: () throws -> Void
    ) throws -> Bitmap {
        // A broken profile counts as sRGB, as it does when a file is decoded.
        guard var conversion = try? converter.makeRowConversion(for: source) else { return self }
        return try converted(by: &conversion, limits: limits, checkCancellation: checkCancellation)
    }
}
