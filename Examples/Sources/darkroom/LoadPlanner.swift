import Console
import Darkroom

/// Prints what a load would do, for `--dry-run`, without loading or writing anything.
struct LoadPlanner {
    let manager: ImageManager
    let context: ImageContext
    let destination: Destination?
    /// The requested output format.
    let format: ImageFormat?
    let inputs: InputFiles
    let report: ReportOptions

    /// Prints where the source at `index` would come from and be written to. Returns the error that is already certain,
    /// if any.
    func explain(_ source: Source, at index: Int) async -> ImageError? {
        do throws(ImageError) {
            let url = try source.validURL
            try checkOutput(of: source, at: index)
            let plan =
                destination == nil
                ? await manager.explain(url, context: context) : await manager.explainEncoded(url, context: context)
            let failure = plan.origin == nil ? plan.failure : nil
            print(plan, of: source, output: output(index), error: failure)
            return failure
        } catch {
            print(nil, of: source, output: nil, error: error)
            return error
        }
    }

    /// Throws an error if the source or another input would be overwritten. Without a requested format, it assumes that
    /// the extension of the source tells the format.
    private func checkOutput(of source: Source, at index: Int) throws(ImageError) {
        guard let destination else { return }
        guard let format = format ?? destination.namedFormat ?? source.namedFormat else { return }
        try inputs.checkOutput(at: destination.path(for: index, as: format), for: index)
    }

    /// Returns the output path; without a requested format, the extension depends on the image and is shown as `*`.
    private func output(_ index: Int) -> String? {
        guard let destination else { return nil }
        guard let format = format ?? destination.namedFormat else {
            return destination.path(for: index, as: .png).map {
                $0.utf8.suffix(4).elementsEqual(".png".utf8) ? Substring($0.utf8.dropLast(3)) + "*" : $0
            }
        }
        return destination.path(for: index, as: format)
    }

    private func print(_ plan: LoadPlan?, of source: Source, output: String?, error: ImageError?) {
        if report.json {
            return JSONLine([
                "source": source.text, "key": plan?.key?.description, "origin": plan?.origin?.rawValue,
                "decision": plan.map { "\($0.decision)" }, "output": output, "error": error,
            ]).print()
        }
        if let error { return error.print(about: source) }
        guard !report.quiet else { return }
        let origin = plan?.origin.map { "from \($0.rawValue)" } ?? ""
        FileDescriptor.standardOutput.print("\(source.shownText)  \(origin)" + (output.map { "  → \($0)" } ?? ""))
    }
}
