import Console
import Darkroom

/// Prints the outcome of each load on a line.
struct LoadPrinter {
    let sources: [Source]
    /// The width of the column of sources.
    let sourceWidth: Int
    let report: ReportOptions
    /// Whether standard output is reserved for an image.
    let isSilent: Bool

    /// Prints the outcome of one source.
    func print(_ outcome: LoadOutcome) {
        let source = sources[outcome.index]
        switch outcome.result {
        case .success(let image):
            guard !report.quiet else { return }
            if report.json { return json(source, image: image, duration: outcome.duration).print() }
            image.notes.print(about: source)
            guard !isSilent else { return }
            FileDescriptor.standardOutput.print(line(source, image: image, duration: outcome.duration))
        case .failure(let error):
            if report.json { return json(source, error: error, duration: outcome.duration).print() }
            error.print(about: source)
        }
    }

    private func line(_ source: Source, image: LoadedImage, duration: Duration) -> String {
        let cells = [
            source.shownText.padded(to: sourceWidth),
            "\(image.size)".padded(to: 9, onTheLeft: true),
            image.format.description.padded(to: 4),
            image.origin.rawValue.padded(to: 8),
            (image.byteCount?.asByteCount ?? "").padded(to: 8, onTheLeft: true),
            "\((duration.milliseconds * 10).rounded() / 10) ms".padded(to: 9, onTheLeft: true),
        ]
        let quality = image.report.chosenQuality.map { "  (\($0))" } ?? ""
        return cells.joined(separator: "  ") + (image.output.map { "  → \($0)" } ?? "") + quality
    }

    private func json(
        _ source: Source, image: LoadedImage? = nil, error: ImageError? = nil, duration: Duration
    ) -> JSONLine {
        let chosen = image?.report.chosenQuality
        return JSONLine([
            "source": source.text,
            "key": image?.key?.description,
            "file": image?.key?.fileName,
            "format": image?.format.description,
            "width": image?.size.width,
            "height": image?.size.height,
            "frames": image?.frameCount,
            "origin": image?.origin.rawValue,
            "decision": image.map { "\($0.report.decision)" },
            "bytes": image?.byteCount,
            "milliseconds": duration.milliseconds,
            "stages": image?.report.stages.map(\.json),
            "output": image?.output,
            "quality": chosen.map { ($0.quality * 100).rounded() },
            "score": chosen?.score,
            "encodes": chosen?.encodeCount,
            "notes": image?.notes,
            "error": error,
        ])
    }
}

extension LoadReport.Stage {
    fileprivate var json: JSONLine { JSONLine(["step": step.rawValue, "milliseconds": duration.milliseconds]) }
}
