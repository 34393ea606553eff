import DarkroomPlatform

/// Copies an XMP packet for a picture that was made from the image it describes, without the properties that are no
/// longer true. All else remains, byte by byte.
struct XMPFilter {
    private let bytes: [UInt8]
    /// The namespaces of all prefixes that the packet declares, and of the usual ones.
    private var namespaces = XMPNamespace.usual
    private var output: [UInt8] = []
    /// The end of what was copied or left out.
    private var done = 0
    /// The number of open elements, and the one from which on they are left out.
    private var (depth, leftOutDepth): (Int, Int?) = (0, nil)

    /// Creates a filter of `xmp`.
    init(_ xmp: XMP) { bytes = Array(xmp.data) }

    /// Returns the filtered packet; `nil` if it is broken.
    consuming func filtered() -> XMP? {
        do {
            var tags = XMLTags(bytes)
            while let tag = try tags.next() { declareNamespaces(tag) }
            tags = XMLTags(bytes)
            while let tag = try tags.next() { try copy(tag) }
        } catch {
            return nil
        }
        guard depth == 0, leftOutDepth == nil else { return nil }
        return XMP(Data(output + bytes[done...]))
    }

    private mutating func declareNamespaces(_ tag: XMLTags.Tag) {
        for attribute in tag.attributes {
            let (prefix, name) = parts(attribute.name)
            let declared: ArraySlice<UInt8>? =
                prefix.elementsEqual(XMPNamespace.declaration)
                ? name : prefix.isEmpty && name.elementsEqual(XMPNamespace.declaration) ? [] : nil
            guard let declared, let namespace = XMPNamespace(bytes[attribute.value]) else { continue }
            namespaces[Array(declared), default: []].append(namespace)
        }
    }

    private mutating func copy(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
        if tag.isEnd {
            guard depth > 0 else { throw XMLTags.Malformed() }
            if depth == leftOutDepth {
                done = tag.range.upperBound
                leftOutDepth = nil
            }
            depth -= 1
            return
        }
        depth += 1
        if leftOutDepth == nil {
            if isLeftOut(tag.name) {
                append(upTo: tag.range.lowerBound)
                leftOutDepth = depth
            } else {
                for attribute in tag.attributes where isLeftOut(attribute) {
                    append(upTo: attribute.range.lowerBound)
                    done = attribute.range.upperBound
                }
            }
        }
        guard tag.isEmpty else { return }
        if depth == leftOutDepth {
            done = tag.range.upperBound
            leftOutDepth = nil
        }
        depth -= 1
    }

    private mutating func append(upTo end: Int) {
        output += bytes[done..<end]
        done = end
    }

    /// Whether `attribute` is a property that is left out, or declares a namespace of which nothing remains.
    private func isLeftOut(_ attribute: XMLTags.Attribute) -> Bool {
        guard parts(attribute.name).prefix.elementsEqual(XMPNamespace.declaration) else {
            return isLeftOut(attribute.name)
        }
        guard let namespace = XMPNamespace(bytes[attribute.value]) else { return false }
        return namespace.properties == nil
    }

    private func isLeftOut(_ name: Range<Int>) -> Bool {
        let (prefix, property) = parts(name)
        return namespaces[Array(prefix)]?.contains { $0.properties?.contains(Array(property)) ?? true } == true
    }

    /// Returns the prefix and the rest of a name.
    private func parts(_ name: Range<Int>) -> (prefix: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
        let name = bytes[name]
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return ([], name) }
        return (name[..<colon], name[(colon + 1)...])
    }
}

/// A namespace with properties that describe the pixels or the file of the original.
private struct XMPNamespace {
    /// The local names of these properties; `nil` for all of the namespace.
    let properties: Set<[UInt8]>?

    /// The prefix of attributes that declare namespaces.
    static let declaration = Array("xmlns".utf8)

    private init(_ properties: [String]?) { self.properties = properties.map { Set($0.map { Array($0.utf8) }) } }

    /// Returns the namespace of `uri`; `nil` if all its properties remain true.
    init?(_ uri: ArraySlice<UInt8>) {
        let entry = Self.all.first { entry in
            // The namespaces of Google Photos continue with a topic.
            entry.uri.last == UInt8(ascii: "*") ? uri.starts(with: entry.uri.dropLast()) : uri.elementsEqual(entry.uri)
        }
        guard let entry else { return nil }
        self = entry.namespace
    }

    /// The namespaces of prefixes that a packet need not declare, because readers know them.
    static let usual: [[UInt8]: [XMPNamespace]] = Dictionary(
        uniqueKeysWithValues: all.flatMap { entry in entry.prefixes.map { ($0, [entry.namespace]) } })

    private struct Entry {
        let prefixes: [[UInt8]]
        let uri: [UInt8]
        let namespace: XMPNamespace

        init(_ prefixes: [String], _ uri: String, _ properties: [String]? = nil) {
            self.prefixes = prefixes.map { Array($0.utf8) }
            self.uri = Array(uri.utf8)
            namespace = XMPNamespace(properties)
        }
    }

    private static let all = [
        Entry(
            ["tiff"], "http://ns.adobe.com/tiff/1.0/",
            [
                "Orientation", "ImageWidth", "ImageLength", "BitsPerSample", "Compression", "PhotometricInterpretation",
                "SamplesPerPixel", "PlanarConfiguration", "YCbCrSubSampling", "YCbCrPositioning", "NativeDigest",
            ]),
        Entry(
            ["exif"], "http://ns.adobe.com/exif/1.0/",
            [
                "PixelXDimension", "PixelYDimension", "ColorSpace", "SubjectArea", "SubjectLocation", "NativeDigest",
                "FocalPlaneXResolution", "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
                "CompressedBitsPerPixel", "ComponentsConfiguration", "RelatedSoundFile", "MakerNote",
            ]),
        Entry(["xmp", "xap"], "http://ns.adobe.com/xap/1.0/", ["Thumbnails"]),
        Entry(["xmpGImg", "xapGImg"], "http://ns.adobe.com/xap/1.0/g/img/"),
        Entry(["dc"], "http://purl.org/dc/elements/1.1/", ["format"]),
        Entry(["photoshop"], "http://ns.adobe.com/photoshop/1.0/", ["ColorMode", "ICCProfile"]),
        // Gain maps, and files behind the image.
        Entry(["hdrgm"], "http://ns.adobe.com/hdr-gain-map/1.0/"),
        Entry(["HDRGainMap"], "http://ns.apple.com/HDRGainMap/1.0/"),
        Entry(["apdi"], "http://ns.apple.com/pixeldatainfo/1.0/"),
        Entry(
            ["Container", "Item", "GCamera", "GContainer", "GDepth", "GImage", "GAudio", "GPano"],
            "http://ns.google.com/photos/*"),
        // The rest of the packet in another segment, which is not written.
        Entry(["xmpNote"], "http://ns.adobe.com/xmp/note/"),
    ]
}
