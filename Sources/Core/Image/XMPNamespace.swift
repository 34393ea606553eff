/// The kinds of metadata of the properties in a namespace of XMP.
struct XMPNamespace: Hashable {
    /// Local names of properties. A star at the end of a name stands for any rest.
    struct Names: ExpressibleByArrayLiteral, Hashable {
        private let names: Set<[UInt8]>
        private let prefixes: [[UInt8]]

        /// Creates a list of names.
        init(arrayLiteral names: String...) {
            let names = names.map { Array($0.utf8) }
            prefixes = names.filter { $0.last == XMPNamespace.star }.map { Array($0.dropLast()) }
            self.names = Set(names)
        }

        /// Whether the list has `name`.
        func contains(_ name: [UInt8]) -> Bool {
            names.contains(name) || prefixes.contains { name.starts(with: $0) }
        }

        /// Whether the list has any name at all.
        var hasAll: Bool { prefixes.contains([]) }
    }

    /// The properties that describe the pixels or the file of the original, and are no longer true.
    let untrue: Names

    /// The properties of ``MetadataKinds/copyright``, and those of ``MetadataKinds/location``.
    let copyright, location: Names

    /// The prefix of attributes that declare namespaces.
    static let declaration = Array("xmlns".utf8)

    private static let star = UInt8(ascii: "*")

    /// Returns the namespace of `uri`; `nil` if nothing is known of it.
    init?(_ uri: ArraySlice<UInt8>) {
        let entry = Self.all.first { entry in
            // The namespaces of Google Photos continue with a topic.
            entry.uri.last == Self.star ? uri.starts(with: entry.uri.dropLast()) : uri.elementsEqual(entry.uri)
        }
        guard let entry else { return nil }
        self = entry.namespace
    }

    private init(_ untrue: Names, _ copyright: Names, _ location: Names) {
        (self.untrue, self.copyright, self.location) = (untrue, copyright, location)
    }

    /// The namespaces of prefixes that a packet need not declare, because readers know them.
    static let usual: [[UInt8]: Set<XMPNamespace>] = Dictionary(
        uniqueKeysWithValues: all.flatMap { entry in entry.prefixes.map { ($0, Set([entry.namespace])) } })

    private struct Entry {
        let prefixes: [[UInt8]]
        let uri: [UInt8]
        let namespace: XMPNamespace

        init(_ prefixes: [String], _ uri: String, _ untrue: Names = [], copyright: Names = [], location: Names = []) {
            self.prefixes = prefixes.map { Array($0.utf8) }
            self.uri = Array(uri.utf8)
            namespace = XMPNamespace(untrue, copyright, location)
        }
    }

    private static let all = [
        Entry(
            ["tiff"], "http://ns.adobe.com/tiff/1.0/",
            [
                "Orientation", "ImageWidth", "ImageLength", "BitsPerSample", "Compression", "PhotometricInterpretation",
                "SamplesPerPixel", "PlanarConfiguration", "YCbCrSubSampling", "YCbCrPositioning", "NativeDigest",
            ], copyright: ["Artist", "Copyright"]),
        Entry(
            ["exif"], "http://ns.adobe.com/exif/1.0/",
            [
                "PixelXDimension", "PixelYDimension", "ColorSpace", "SubjectArea", "SubjectLocation", "NativeDigest",
                "FocalPlaneXResolution", "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
                "CompressedBitsPerPixel", "ComponentsConfiguration", "RelatedSoundFile", "MakerNote",
            ], location: ["GPS*"]),
        Entry(["xmp", "xap"], "http://ns.adobe.com/xap/1.0/", ["Thumbnails"]),
        Entry(["xmpGImg", "xapGImg"], "http://ns.adobe.com/xap/1.0/g/img/", ["*"]),
        Entry(["xmpRights", "xapRights"], "http://ns.adobe.com/xap/1.0/rights/", copyright: ["*"]),
        Entry(["dc"], "http://purl.org/dc/elements/1.1/", ["format"], copyright: ["creator", "rights"]),
        Entry(
            ["photoshop"], "http://ns.adobe.com/photoshop/1.0/", ["ColorMode", "ICCProfile"],
            copyright: ["AuthorsPosition", "Credit", "Source"], location: ["City", "State", "Country"]),
        Entry(
            ["Iptc4xmpCore"], "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", copyright: ["CreatorContactInfo"],
            location: ["Location", "CountryCode"]),
        Entry(
            ["Iptc4xmpExt"], "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
            location: ["LocationCreated", "LocationShown"]),
        Entry(["plus"], "http://ns.useplus.org/ldf/xmp/1.0/", copyright: ["*"]),
        Entry(["cc"], "http://creativecommons.org/ns#", copyright: ["*"]),
        Entry(
            ["xmpDM"], "http://ns.adobe.com/xmp/1.0/DynamicMedia/", copyright: ["artist", "copyright"],
            location: ["shotLocation"]),
        Entry(["geo"], "http://www.w3.org/2003/01/geo/wgs84_pos#", location: ["*"]),
        Entry(
            ["drone-dji"], "http://www.dji.com/drone-dji/1.0/",
            location: ["Gps*", "AbsoluteAltitude", "RelativeAltitude"]),
        // Gain maps, and files behind the image.
        Entry(["hdrgm"], "http://ns.adobe.com/hdr-gain-map/1.0/", ["*"]),
        Entry(["HDRGainMap"], "http://ns.apple.com/HDRGainMap/1.0/", ["*"]),
        Entry(["apdi"], "http://ns.apple.com/pixeldatainfo/1.0/", ["*"]),
        Entry(
            ["Container", "Item", "GCamera", "GContainer", "GDepth", "GImage", "GAudio", "GPano"],
            "http://ns.google.com/photos/*", ["*"]),
        // The rest of the packet in another segment, which is not written.
        Entry(["xmpNote"], "http://ns.adobe.com/xmp/note/", ["*"]),
    ]
}
