/// Whatever extends a pipeline. `install` is how it gets in.
///
/// Coders, loaders and key filters install themselves. A bundle of several writes its own `install`.
public protocol ImagePlugin: Sendable {
    /// Adds itself to the parts of a manager that is being made.
    func install(in components: inout ImageManager.Components)
}
