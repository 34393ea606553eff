import ArgumentParser
import Darkroom

/// The metadata to keep, and whether that includes the profile of the colours.
struct KeptMetadata: ExpressibleByArgument {
    /// The names that are listed with commas.
    static let names = MetadataKinds.names + ["icc", "none"]

    /// The kinds of metadata.
    private(set) var kinds: MetadataKinds = []

    /// Whether pixels stay in the colour space of the file, with its profile.
    private(set) var keepsProfile = false

    /// Parses a list such as `copyright,icc`; one name after a minus, such as `all,-location`, is left out.
    init?(argument: String) {
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.hasPrefix("-") ? String(part.dropFirst()) : String(part)
            if name == "icc" {
                keepsProfile = !part.hasPrefix("-")
            } else if let kinds = name == "none" ? [] : MetadataKinds(name: name) {
                if part.hasPrefix("-") { self.kinds.subtract(kinds) } else { self.kinds.formUnion(kinds) }
            } else {
                return nil
            }
        }
    }
}
