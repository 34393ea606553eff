import DarkroomPlatform

/// Copies an XMP packet for a picture that was made from the image it describes, without the properties that are no
/// longer true or not to be kept. All else remains, byte by byte.
///
/// If only some kinds of properties are kept, nothing is copied but these and the elements around them.
struct XMPFilter {
    private let bytes: [UInt8]
    /// The namespaces of all prefixes that the packet declares, and of the usual ones. A prefix has each of the few known ones
    /// at most once, however often it is declared, so that the time is linear.
    private var namespaces = XMPNamespace.usual
    private var output: [UInt8] = []
    /// The end of what was copied or left out.
    private var done = 0
    /// The number of open elements, the one from which on they are left out, and the property that is kept.
    private var (depth, leftOutDepth, keptDepth): (Int, Int?, Int?) = (0, nil, nil)
    private let kinds: MetadataKinds
    private var hasProperties = false

    /// Whether properties are left out unless they are of a kind that is kept.
    private var isSelective: Bool { !kinds.contains(.xmp) }

    /// Creates a filter of `xmp` for the properties of `kinds`.
    init(_ xmp: XMP, keeping kinds: MetadataKinds) {
        bytes = Array(xmp.data)
        self.kinds = kinds
    }

    /// Returns the filtered packet; `nil` if it is broken, or has none of the selected properties.
    consuming func filtered() -> XMP? {
        do {
            var tags = XMLTags(bytes)
            while let tag = try tags.next() { declareNamespaces(tag) }
            tags = XMLTags(bytes)
            while let tag = try tags.next() { try copy(tag) }
        } catch {
            return nil
        }
        guard depth == 0, leftOutDepth == nil, !isSelective || hasProperties else { return nil }
        return XMP(Data(isSelective ? output : output + bytes[done...]))
    }

    private mutating func declareNamespaces(_ tag: XMLTags.Tag) {
        for attribute in tag.attributes {
            let (prefix, name) = parts(attribute.name)
            let declared: ArraySlice<UInt8>? =
                prefix.elementsEqual(XMPNamespace.declaration)
                ? name : prefix.isEmpty && name.elementsEqual(XMPNamespace.declaration) ? [] : nil
            guard let declared, let namespace = XMPNamespace(bytes[attribute.value]) else { continue }
            namespaces[Array(declared), default: []].insert(namespace)
        }
    }

    private mutating func copy(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
        if tag.isEnd {
            guard depth > 0 else { throw XMLTags.Malformed() }
            close(tag)
            return
        }
        depth += 1
        if leftOutDepth == nil { open(tag) }
        if tag.isEmpty { close(tag) }
    }

    /// Copies the start of an element, or begins to leave it out.
    private mutating func open(_ tag: XMLTags.Tag) {
        let selects = isSelective && keptDepth == nil
        let isStructure = selects && isStructure(tag.name)
        if selects, !isStructure, isSelected(tag.name), !isLeftOut(tag.name) {
            (keptDepth, hasProperties, done) = (depth, true, tag.range.lowerBound)
        } else if selects ? !isStructure : isLeftOut(tag.name) {
            if !selects { append(upTo: tag.range.lowerBound) }
            leftOutDepth = depth
            return
        }
        if isStructure { done = tag.range.lowerBound }
        for attribute in tag.attributes {
            if isLeftOut(attribute) || isStructure && !isSelected(attribute) {
                append(upTo: attribute.range.lowerBound)
                done = attribute.range.upperBound
            } else if isStructure, !isFrame(attribute) {
                hasProperties = true
            }
        }
        if isStructure { append(upTo: tag.range.upperBound) }
    }

    /// Ends the element that `tag` closes.
    private mutating func close(_ tag: XMLTags.Tag) {
        if let leftOutDepth {
            if depth == leftOutDepth { (self.leftOutDepth, done) = (nil, tag.range.upperBound) }
        } else if isSelective, keptDepth == nil || keptDepth == depth {
            // Behind a property, there is only what belongs to no other.
            if keptDepth == nil, !tag.isEmpty { done = tag.range.lowerBound }
            keptDepth = nil
            append(upTo: max(done, tag.range.upperBound))
        }
        depth -= 1
    }

    private mutating func append(upTo end: Int) {
        output += bytes[done..<end]
        done = end
    }

    /// Whether an element is one around the properties. Their text has no meaning.
    private func isStructure(_ name: Range<Int>) -> Bool { Self.structure.contains(Array(parts(name).name)) }

    private static let structure = Set(["xmpmeta", "xapmeta", "RDF", "Description"].map { Array($0.utf8) })
    private static let (rdf, about) = (Array("rdf".utf8), Array("about".utf8))

    /// Whether an attribute of a structure is kept: a property of a selected kind, or one without which it means nothing.
    private func isSelected(_ attribute: XMLTags.Attribute) -> Bool {
        isFrame(attribute) || isSelected(attribute.name)
    }

    /// Whether an attribute declares a namespace, or names the picture.
    private func isFrame(_ attribute: XMLTags.Attribute) -> Bool {
        let (prefix, name) = parts(attribute.name)
        return prefix.elementsEqual(XMPNamespace.declaration)
            || prefix.isEmpty && name.elementsEqual(XMPNamespace.declaration)
            || (prefix.isEmpty || prefix.elementsEqual(Self.rdf)) && name.elementsEqual(Self.about)
    }

    /// Whether a property is of a kind that is kept by itself.
    private func isSelected(_ name: Range<Int>) -> Bool {
        has(name) { namespace, property in
            kinds.contains(.copyright) && namespace.copyright.contains(property)
                || kinds.contains(.location) && namespace.location.contains(property)
        }
    }

    /// Whether `attribute` is a property that is left out, or declares a namespace of which nothing remains.
    private func isLeftOut(_ attribute: XMLTags.Attribute) -> Bool {
        guard parts(attribute.name).prefix.elementsEqual(XMPNamespace.declaration) else {
            return isLeftOut(attribute.name)
        }
        return XMPNamespace(bytes[attribute.value])?.untrue.hasAll == true
    }

    private func isLeftOut(_ name: Range<Int>) -> Bool {
        has(name) { namespace, property in
            namespace.untrue.contains(property) || !kinds.contains(.location) && namespace.location.contains(property)
        }
    }

    /// Whether `condition` is true of a namespace of the prefix of `name`, and the rest of it.
    private func has(_ name: Range<Int>, _ condition: (XMPNamespace, [UInt8]) -> Bool) -> Bool {
        let (prefix, rest) = parts(name)
        let property = Array(rest)
        return namespaces[Array(prefix)]?.contains { condition($0, property) } == true
    }

    /// Returns the prefix and the rest of a name.
    private func parts(_ name: Range<Int>) -> (prefix: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
        let name = bytes[name]
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return ([], name) }
        return (name[..<colon], name[(colon + 1)...])
    }
}
