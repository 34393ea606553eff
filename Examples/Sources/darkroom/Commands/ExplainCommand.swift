import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `darkroom explain`: shows where an image would come from, and why, without loading or changing anything.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows where an image would come from, and why, without loading it.",
        discussion: .help(
            examples: "darkroom explain https://example.com/photo.jpg --thumbnail 180x120",
            "darkroom explain https://example.com/photo.jpg --from-cache-only --json"))

    @Argument(help: ArgumentHelp("A URL or path.", valueName: "url"), completion: .images)
    var source: Source

    @OptionGroup var variant: VariantOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var loading: LoadingOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let manager = try loading.manager(caches.readOnly)
        let context = try await variant.fullContext(loading, caches, imagesFrom: manager)
        let plan = await manager.explain(try source.validURL, context: context)
        guard json else {
            let width = plan.lines.map(\.label.count).max() ?? 0
            for (label, text) in plan.lines {
                FileDescriptor.standardOutput.print("\(label.padded(to: width))  \(text)")
            }
            return
        }
        JSONLine([
            "url": plan.url.absoluteString,
            "key": plan.key?.description,
            "file": plan.key?.fileName,
            "steps": plan.steps.map { JSONLine(["location": $0.location, "finding": $0.finding]) },
            "decision": "\(plan.decision)",
            "origin": plan.origin?.rawValue,
            "error": plan.failure,
        ]).print()
    }
}

extension LoadPlan {
    /// The lines of the report.
    fileprivate var lines: [(label: String, text: String)] {
        [("url", url.absoluteString), ("key", key?.description ?? "none: the image is excluded from all caches")]
            + steps.map { ($0.location, $0.finding) }
            + [("decision", "\(decision)"), ("origin", origin?.rawValue ?? "none: \(failure?.message ?? "")")]
    }
}
