import DarkroomCaches
import DarkroomCore
import DarkroomFile
import DarkroomJPEG
import DarkroomObservability
import DarkroomPNG
import Foundation
import InMemoryTracing
import SmallExample
import Tracing

/// Creates a span for each load and its stages, below the caller's own span, and prints them as a tree.
///
///     swift run --package-path Examples traced-load photo.jpg
@main
enum TracedLoad: SmallExample {
    static func run() async throws {
        guard let path = CommandLine.arguments.dropFirst().first else { return print("usage: traced-load IMAGE") }
        // A server bootstraps an OpenTelemetry tracer instead.
        let tracer = InMemoryTracer()
        let manager = try ImageManager {
            $0.install(FileLoader())
            $0.install(JPEGCoder())
            $0.install(PNGCoder())
            $0.install(LoadTracing(tracer))
            $0.imageCache = MemoryImageCache()
        }
        try await tracer.withSpan("page") { _ in
            for _ in 1...2 { _ = try await manager.load(URL(filePath: path)) }
        }
        printTree(tracer.finishedSpans, below: nil, depth: 0)
    }

    private static func printTree(_ spans: [FinishedInMemorySpan], below parent: String?, depth: Int) {
        for span in spans where span.parentSpanID == parent {
            let nanoseconds = span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch
            let indent = String(repeating: "  ", count: depth)
            let origin = if case .string(let name)? = span.attributes.get("darkroom.origin") { ", \(name)" } else { "" }
            print("\(indent)\(span.operationName) \(nanoseconds / 1000) µs\(origin)")
            printTree(spans, below: span.spanID, depth: depth + 1)
        }
    }
}
