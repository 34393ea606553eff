import Console
import Darkroom

/// Prints the header of each source on a line.
struct InfoPrinter {
    let sources: [Source]
    /// The width of the column of sources.
    let sourceWidth: Int
    let isJSON: Bool

    /// Prints the header of one source.
    func print(_ outcome: InfoOutcome) {
        let source = sources[outcome.index]
        switch outcome.result {
        case .success(let (info, byteCount)):
            if isJSON { return json(source, info: info, byteCount: byteCount).print() }
            FileDescriptor.standardOutput.print(line(source, info: info, byteCount: byteCount))
        case .failure(let error):
            if isJSON { return json(source, error: error).print() }
            error.print(about: source)
        }
    }

    private func line(_ source: Source, info: ImageInfo, byteCount: Int) -> String {
        let cells = [
            source.shownText.padded(to: sourceWidth),
            "\(info.size)".padded(to: 9, onTheLeft: true),
            info.format.description.padded(to: 4),
            byteCount.asByteCount.padded(to: 8, onTheLeft: true),
            "\(info.bitsPerChannel)-bit \(info.colorModel)\(info.hasAlpha ? " with alpha" : "")",
        ]
        return (cells.joined(separator: "  ") + "  " + info.remarks.joined(separator: ", ")).trimmingSpaces
    }

    private func json(
        _ source: Source, info: ImageInfo? = nil, byteCount: Int? = nil, error: ImageError? = nil
    ) -> JSONLine {
        JSONLine([
            "source": source.text,
            "format": info?.format.description,
            "width": info?.size.width,
            "height": info?.size.height,
            "storedWidth": info?.storedSize.width,
            "storedHeight": info?.storedSize.height,
            "orientation": info?.orientation.rawValue,
            "frames": info?.frameCount,
            "loopCount": info?.loopCount,
            "durations": info?.frameDurations.map(\.seconds),
            "totalDuration": info?.totalDuration.seconds,
            "hasAlpha": info?.hasAlpha,
            "bitsPerChannel": info?.bitsPerChannel,
            "colorModel": info?.colorModel.rawValue,
            "iccBytes": info.map { $0.iccProfile?.count ?? 0 },
            "gamma": info?.calibration?.exponent,
            "primaries": info?.calibration?.primaries,
            "exifBytes": info.map { $0.exif?.data.count ?? 0 },
            "dateTime": info?.exif?.dateTime,
            "hasLocation": info.map { $0.exif?.hasLocation ?? false },
            "bytes": byteCount,
            "error": error,
        ])
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let end = utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return end.map { String(self[...$0]) } ?? ""
    }
}
