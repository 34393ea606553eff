import ArgumentParser
import Darkroom

extension CompletionKind {
    /// Files that are named as pictures are; URLs have to be written.
    static var pictures: CompletionKind {
        .file(extensions: ["png", "apng", "jpg", "jpeg", "gif", "webp"].flatMap { [$0, $0.uppercased()] })
    }

    /// The limits that can be changed.
    static var limits: CompletionKind { .list(Limit.names.map { "\($0)=" }) }

    /// The steps that can come next in a list of transforms.
    static var transforms: CompletionKind {
        .custom { _, _, prefix in
            let done = prefix.lastIndex(of: "+").map { prefix[...$0] } ?? ""
            let names = TransformNotation.entries.map(\.form).flatMap { [$0.name] + $0.aliases }
            return names.map { done + $0 }.filter { $0.hasPrefix(prefix) }
        }
    }
}
