import Darkroom

/// The outcome of writing one frame, without its pixels.
struct FrameOutcome: Sendable {
    /// The number of the frame, starting at 1, as in the file's name.
    let number: Int
    /// How long it is shown; zero for a still.
    let duration: Duration
    let result: Result<(path: String, size: PixelSize, byteCount: Int), ImageError>
    /// Sentences about what is missing from the frame, and, with the first one, about the image.
    let notes: [String]
}

/// Writes the frames of an image as PNG, decoding one complete frame at a time.
struct FramesRunner: Sendable {
    let coders: CoderRegistry
    let context: ImageContext
    let folder: OutputFolder
    let inputs: InputFiles
    private let executor = WorkExecutor(name: "output", width: 1)

    init(coders: CoderRegistry, context: ImageContext, folder: OutputFolder, inputs: InputFiles) {
        self.coders = coders
        self.context = context
        self.folder = folder
        self.inputs = inputs
    }

    /// Writes all frames of `image`, and reports each. A frame that cannot be decoded is skipped, and one with missing pixels
    /// is written with what it shows in their place.
    ///
    /// The first failure to write ends it, because the next ones would fail as well.
    func write(_ image: Image, report: @escaping @Sendable (FrameOutcome) -> Void) async throws(ImageError) {
        try await executor.write {
            guard let animation = image.animation else {
                let frame = Frame(image.bitmap, duration: .zero)
                return report(try write({ frame }, of: image, number: 1, duration: frame.duration))
            }
            var decoder = try animation.makeFrameDecoder()
            for (index, duration) in animation.frameDurations.enumerated() {
                report(try write({ try decoder.nextFrame() }, of: image, number: index + 1, duration: duration))
            }
        }
    }

    private func write(
        _ decode: () throws -> Frame?, of image: Image, number: Int, duration: Duration
    ) throws -> FrameOutcome {
        var notes = number == 1 ? image.metadata.notes : []
        do {
            guard let frame = try decode() else {
                throw ImageError(.incomplete, .decode, "frame \(number) is missing")
            }
            if let damage = frame.damage, !notes.contains(damage) { notes.append(damage) }
            let still = Image(info: image.info, bitmap: frame.bitmap, metadata: image.metadata)
            let data = try coders.encode(still, as: .png, context: context)
            let path = path(number, of: image.animation?.frameCount ?? 1, duration: duration)
            try inputs.checkOutput(at: path, for: 0)
            try Destination.write(data, to: path)
            return FrameOutcome(
                number: number, duration: duration, result: .success((path, frame.bitmap.size, data.count)),
                notes: notes)
        } catch let error as ImageError where error.kind != .output {
            return FrameOutcome(number: number, duration: duration, result: .failure(error), notes: notes)
        }
    }

    /// Returns a path such as `cat-0001-0.100s.png`.
    private func path(_ number: Int, of count: Int, duration: Duration) -> String {
        let digits = String(number).padded(to: max(4, String(count).count), with: "0")
        let milliseconds = Int(exactly: (duration / .milliseconds(1)).rounded()) ?? 0
        let thousandths = String(milliseconds % 1000).padded(to: 3, with: "0")
        return folder.path(for: 0, suffix: "-\(digits)-\(milliseconds / 1000).\(thousandths)s", as: .png)
    }
}
