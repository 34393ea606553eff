extension ImageManager.Components {
    /// Throws when a value cannot work, with a sentence that names it.
    func validate() throws(ImageError) {
        guard failedURLLifetime >= 0 else {
            throw .misconfigured("failedURLLifetime is \(failedURLLifetime), and must be 0 or more seconds")
        }
        guard memoryBudget.byteLimit > 0 else {
            throw .misconfigured("memoryBudget.byteLimit is \(memoryBudget.byteLimit), and must be 1 or more")
        }
        try defaults.limits.validate()
        for loader in loaders { try loader.validate() }
    }
}

extension DecodeLimits {
    /// Throws when a bound is none that any picture could meet.
    func validate() throws(ImageError) {
        let bounds = [
            ("encodedByteCount", encodedByteCount), ("pixelCount", pixelCount), ("decodedByteCount", decodedByteCount),
            ("frameCount", frameCount), ("animationPixelCount", animationPixelCount), ("scanCount", scanCount),
            ("segmentCount", segmentCount), ("transformerCount", transformerCount),
            ("outputByteCount", outputByteCount),
        ]
        for (name, bound) in bounds where bound < 1 {
            throw .misconfigured("defaults.limits.\(name) is \(bound), and must be 1 or more")
        }
        guard workSeconds > 0 else {
            throw .misconfigured("defaults.limits.workSeconds is \(workSeconds), and must be more than 0")
        }
    }
}

extension ImageError {
    /// A refusal of a value that was set when a part was composed; the sentence names it.
    package static func misconfigured(_ sentence: String) -> ImageError { ImageError(.refused, .request, sentence) }
}
