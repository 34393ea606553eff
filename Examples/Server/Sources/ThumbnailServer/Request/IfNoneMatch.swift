/// The field `If-None-Match` (RFC 9110, section 13.1.2).
enum IfNoneMatch {
    /// Returns whether one of `fields` contains `entityTag` or `*`. Weak tags match, as specified for this field.
    static func matches(_ entityTag: String, in fields: [String]) -> Bool {
        fields.contains { field in
            field.utf8.split(separator: UInt8(ascii: ",")).contains { item in
                let item = item.trimmed
                let strong = item.starts(with: "W/".utf8) ? item.dropFirst(2) : item
                return item.elementsEqual("*".utf8) || strong.elementsEqual(entityTag.utf8)
            }
        }
    }
}
