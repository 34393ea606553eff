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
        case .success(let picture):
            guard !report.quiet else { return }
            if report.json { return json(source, picture, nil, outcome.duration).print() }
            picture.notes.print(about: source)
            guard !isSilent else { return }
            FileDescriptor.standardOutput.print(line(source, picture, outcome.duration))
        case .failure(let error):
            if report.json { return json(source, nil, error, outcome.duration).print() }
            error.print(about: source)
        }
    }

    private func line(_ source: Source, _ picture: LoadedPicture, _ duration: Duration) -> String {
        let cells = [
            source.shownText.padded(to: sourceWidth),
            "\(picture.size)".padded(to: 9, onTheLeft: true),
            picture.format.description.padded(to: 4),
            picture.origin.rawValue.padded(to: 8),
            (picture.byteCount?.asByteCount ?? "").padded(to: 8, onTheLeft: true),
            "\((duration.milliseconds * 10).rounded() / 10) ms".padded(to: 9, onTheLeft: true),
        ]
        return cells.joined(separator: "  ") + (picture.output.map { "  → \($0)" } ?? "")
    }

    private func json(
        _ source: Source, _ picture: LoadedPicture?, _ error: ImageError?, _ duration: Duration
    ) -> JSONLine {
        JSONLine([
            "source": source.text,
            "key": picture?.key?.description,
            "file": picture?.key?.fileName,
            "format": picture?.format.description,
            "width": picture?.size.width,
            "height": picture?.size.height,
            "frames": picture?.frameCount,
            "origin": picture?.origin.rawValue,
            "decision": picture.map { "\($0.report.decision)" },
            "bytes": picture?.byteCount,
            "milliseconds": duration.milliseconds,
            "stages": picture?.report.stages.map(\.json),
            "output": picture?.output,
            "notes": picture?.notes,
            "error": error,
        ])
    }
}

extension LoadReport.Stage {
    fileprivate var json: JSONLine { JSONLine(["step": step.rawValue, "milliseconds": duration.milliseconds]) }
}
