extension ImageManager.Components {
    /// Checks all values. Throws an error that names the first one that cannot work.
    func validate() throws(ImageError) {
        if let failedURLLifetime, failedURLLifetime < .zero {
            throw .misconfigured("failedURLLifetime is \(failedURLLifetime), and must not be negative")
        }
        guard memoryBudget.byteLimit > 0 else {
            throw .misconfigured("memoryBudget.byteLimit is \(memoryBudget.byteLimit), and must be 1 or more")
        }
        try defaults.limits.validate()
        try coders.validate()
        for loader in loaders { try loader.validate() }
    }
}

extension DecodeLimits {
    /// Checks all bounds. Throws an error that names the first one that no image could meet.
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
        guard workTime > .zero else {
            throw .misconfigured("defaults.limits.workTime is \(workTime), and must be more than 0")
        }
    }
}

extension ImageError {
    /// Returns the error for an invalid value in the configuration. `sentence` names the value.
    package static func misconfigured(_ sentence: String) -> ImageError { ImageError(.refused, .request, sentence) }
}
