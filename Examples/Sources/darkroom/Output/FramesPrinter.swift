import Console
import Darkroom

/// Prints the outcome of each frame on a line, after its notes.
struct FramesPrinter: Sendable {
    let source: Source
    let report: ReportOptions

    /// Prints the outcome of one frame.
    func print(_ outcome: FrameOutcome) {
        if !report.quiet, !report.json { outcome.notes.print(about: source) }
        switch outcome.result {
        case .success(let (path, size, byteCount)):
            guard !report.quiet else { return }
            if report.json { return json(outcome, error: nil).print() }
            FileDescriptor.standardOutput.print(
                "\(path)  \(size)  \(outcome.duration.asSeconds)  \(byteCount.asByteCount)")
        case .failure(let error):
            if report.json { return json(outcome, error: error).print() }
            error.print(about: source)
        }
    }

    /// Prints the error that ended the command.
    func print(_ error: ImageError) {
        if report.json { return json(nil, error: error).print() }
        error.print(about: source)
    }

    private func json(_ outcome: FrameOutcome?, error: ImageError?) -> JSONLine {
        let file = try? outcome?.result.get()
        return JSONLine([
            "source": source.text,
            "index": outcome?.number,
            "duration": outcome?.duration.seconds,
            "width": file?.size.width,
            "height": file?.size.height,
            "bytes": file?.byteCount,
            "path": file?.path,
            "notes": outcome?.notes,
            "error": error,
        ])
    }
}
