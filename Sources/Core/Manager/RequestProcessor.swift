#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A processor that rewrites the URL and the context of every request before its cache key is made.
public protocol RequestProcessor: ImagePlugin {
    /// Changes the request in place. `context` includes the manager's defaults already; the result is final.
    ///
    /// What it throws ends the load, and nothing is looked for in a cache: a mapping that fails must not go on with the URL
    /// that it was to replace. Answer fast, and the same for the same request: it is also asked when only a key or a memory look-up is wanted.
    func process(_ url: inout URL, _ context: inout ImageContext) throws
}

extension RequestProcessor {
    /// Adds the processor after those already installed.
    public func install(in components: inout ImageManager.Components) { components.processors.append(self) }
}
