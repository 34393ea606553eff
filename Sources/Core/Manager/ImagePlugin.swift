/// An extension of the pipeline, which adds itself to a manager by `install`.
///
/// Coders, loaders and key filters have an implementation of `install`. A bundle of several plugins writes its own.
public protocol ImagePlugin: Sendable {
    /// Adds the plugin to the components of a manager that is being configured.
    func install(in components: inout ImageManager.Components)
}
