/// The field `If-None-Match`: RFC 9110, section 13.1.2.
enum EntityTags {
    /// Whether one of `fields` names `tag`, or anything. Weak ones count, as they do for this field.
    static func match(_ fields: [String], _ tag: String) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { item in
            let item = item.trimmed
            return item == "*" || (item.hasPrefix("W/") ? item.dropFirst(2) : item) == tag
        }
    }
}
