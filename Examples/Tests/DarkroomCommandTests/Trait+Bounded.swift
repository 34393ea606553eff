import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit that only a test that hangs exceeds, even under a sanitizer on a busy machine.
    static var bounded: Self { .timeLimit(.minutes(10)) }
}
