import ArgumentParser
import Darkroom

extension CompletionKind {
    /// Files with the extensions of images. URLs are not completed.
    static var images: CompletionKind {
        .file(extensions: ["png", "apng", "jpg", "jpeg", "gif", "webp"].flatMap { [$0, $0.uppercased()] })
    }

    /// The names of the limits.
    static var limits: CompletionKind { .list(Limit.names.map { "\($0)=" }) }

    /// The transforms that can follow in a list.
    static var transforms: CompletionKind {
        .custom { _, _, prefix in
            let done = prefix.lastIndex(of: "+").map { prefix[...$0] } ?? ""
            let names = TransformNotation.entries.map(\.form).flatMap { [$0.name] + $0.aliases }
            return names.map { done + $0 }.filter { $0.hasPrefix(prefix) }
        }
    }
}
