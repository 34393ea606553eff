public import DarkroomPlatform

/// A processor that rewrites the URL and the context of every request before its cache key is made.
public protocol RequestProcessor: ImagePlugin {
    /// Changes the request in place. `context` includes the manager's defaults already; the result is final.
    ///
    /// An error ends the load before any cache lookup, because a load must not continue with a URL that could not be
    /// replaced. The method must be fast and deterministic: it is also called when only a key or a memory lookup is
    /// needed.
    func process(url: inout URL, context: inout ImageContext) throws
}

extension RequestProcessor {
    /// Adds the processor after those already installed.
    public func install(in components: inout ImageManager.Components) { components.processors.append(self) }
}
