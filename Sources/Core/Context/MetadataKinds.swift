/// Kinds of metadata that encoders write. See ``ImageContext/keptMetadata``.
///
/// ``copyright`` and ``location`` select properties wherever they are stored, and the others everything else in a structure.
/// The place is thus only written with ``location``: `MetadataKinds.all.subtracting(.location)` is everything but the place.
public struct MetadataKinds: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: Int

    /// Creates the kinds of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The names of authors and owners, their notices and terms: the artist and the copyright in Exif, the rights, the
    /// creator, the credit and the licence in XMP, the by-line, the credit, the source and the copyright in IPTC.
    public static let copyright = MetadataKinds(rawValue: 1)

    /// The place: the GPS directory of Exif, coordinates, cities, countries and locations in XMP and IPTC. Places in texts,
    /// such as a caption, are not recognized.
    public static let location = MetadataKinds(rawValue: 2)

    /// All of Exif but the place: the camera, the exposure, the time, the description and the copyright.
    public static let exif = MetadataKinds(rawValue: 4)

    /// All of the XMP packet but the place.
    public static let xmp = MetadataKinds(rawValue: 8)

    /// All of the IPTC metadata but the place.
    public static let iptc = MetadataKinds(rawValue: 16)

    /// The comments.
    public static let comments = MetadataKinds(rawValue: 32)

    /// All kinds.
    public static let all: MetadataKinds = [.copyright, .location, .exif, .xmp, .iptc, .comments]

    /// Creates the kind with one of the `names`; `nil` for any other name.
    public init?(name: String) {
        guard let kind = Self.named.first(where: { $0.name == name })?.kind else { return nil }
        self = kind
    }

    /// The names of the kinds, for options in texts: `all`, `copyright`, `location`, `exif`, `xmp`, `iptc` and `comments`.
    public static let names = named.map(\.name)

    private static let named: [(name: String, kind: MetadataKinds)] = [
        ("all", .all), ("copyright", .copyright), ("location", .location), ("exif", .exif), ("xmp", .xmp),
        ("iptc", .iptc), ("comments", .comments),
    ]

    /// The part of the cache key of files with these kinds; `nil` for none.
    var fragment: String? {
        guard !isEmpty else { return nil }
        let names = Self.named.dropFirst().filter { contains($0.kind) }.map(\.name)
        return self == .all ? "Metadata(1)" : "Metadata(\(names.joined(separator: ",")))"
    }
}
