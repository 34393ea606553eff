import DarkroomPlatform

/// The encoding of a file of at most `context.encodedByteLimit`, by a coder that only follows the quality.
struct BoundedEncoding {
    private let request: EncodeRequest
    private let encoder: any EncodingImageCoder
    private let bound: Int

    /// Creates the encoding; `nil` if the file has no bound, or the coder observes it.
    init?(_ request: EncodeRequest, by encoder: any EncodingImageCoder) {
        guard let bound = request.context.encodedByteLimit, !encoder.observesByteLimit(of: request.format) else {
            return nil
        }
        (self.request, self.encoder, self.bound) = (request, encoder, bound)
    }

    /// Returns the file at the quality of the context, if there is one and the file is not too large, or else at the highest
    /// quality found. If there is none, the file has the lowest quality.
    func file() throws -> Data {
        guard request.context.setsQuality else {
            return try file(in: QualitySearch(among: 1...100, bound: bound, first: Self.typicalPercent), or: nil)
        }
        let wanted = try encoder.encode(request.with { $0.encodedByteLimit = nil })
        if wanted.count <= bound { return wanted }
        let search =
            if request.context.encoderQuality == nil {
                QualitySearch(below: request.quality * 100, with: wanted.count, bound: bound)
            } else {
                QualitySearch(among: 1...100, bound: bound, first: Self.typicalPercent)
            }
        return try file(in: search, or: wanted)
    }

    private static let typicalPercent = Int(saturating: DefaultQuality.delivered * 100)

    /// Returns the best file of `search`, or else the smallest of all, with `other`.
    private func file(in search: QualitySearch, or other: Data?) throws -> Data {
        var search = search
        var (best, smallest): (Data?, Data?) = (nil, other)
        while let percent = search.next {
            try request.checkCancellation()
            let data = try file(percent: percent)
            search.add(data.count)
            if search.best == percent { best = data }
            if data.count < smallest?.count ?? .max { smallest = data }
        }
        guard let file = best ?? smallest else { throw ImageError(.internal, .encode, "no quality was tried") }
        return file
    }

    private func file(percent: Int) throws -> Data {
        try encoder.encode(
            request.with {
                $0.encodedByteLimit = nil
                $0.encoderQuality = nil
                $0.quality = Double(percent) / 100
            })
    }
}

extension EncodeRequest {
    /// Returns the file that `encoder` makes of the image, within the bytes that the context allows.
    func file(by encoder: any EncodingImageCoder) throws -> Data {
        try BoundedEncoding(self, by: encoder)?.file() ?? encoder.encode(self)
    }
}
