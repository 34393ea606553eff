import Darkroom

extension ImageInfo {
    /// Descriptions of the header's properties other than size, format and channels.
    var remarks: [String] {
        [
            animationSummary,
            orientation == .up ? nil : "orientation \(orientation.rawValue), stored \(storedSize)",
            iccProfile.map { "profile of \($0.count.asByteCount)" },
            calibration?.summary,
            exif.map { "Exif of \($0.data.count.asByteCount)" },
            exif?.dateTime.map { "taken \($0)" },
            exif?.hasLocation == true ? "with location" : nil,
        ].compactMap(\.self)
    }

    /// The total duration of all frames in seconds; 0 for a still.
    var totalDuration: Duration { frameDurations.reduce(.zero, +) }

    /// A description such as `3 frames in 0.6 s, 0.1 s to 0.3 s each, for ever`; `nil` for a still.
    private var animationSummary: String? {
        guard frameCount > 1, let shortest = frameDurations.min(), let longest = frameDurations.max() else {
            return nil
        }
        let range = shortest == longest ? shortest.asSeconds : "\(shortest.asSeconds) to \(longest.asSeconds)"
        let loops =
            switch loopCount {
            case 0: "for ever"
            case 1: "once"
            default: "\(loopCount) times"
            }
        return "\(frameCount) frames in \(totalDuration.asSeconds), \(range) each, \(loops)"
    }
}
