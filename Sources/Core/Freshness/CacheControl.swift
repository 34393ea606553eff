/// The directives of a `Cache-Control` field for a private cache (RFC 9111, section 5.2). Unknown ones are ignored.
struct CacheControl: Equatable {
    /// The maximum number of seconds. Larger numbers are clamped (section 1.2.2).
    private static let maximumSeconds = 2_147_483_648.0

    /// The directives by lowercase name. Of several with one name, the first counts (section 4.2.1).
    private var directives: [String: String] = [:]

    init(_ field: String) {
        for part in Self.parts(of: field) {
            let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = part[..<equals].trimmed.asciiLowercased
            guard !name.isEmpty, directives[name] == nil else { continue }
            directives[name] = String(Substring(part.utf8[equals...].dropFirst()).trimmed)
        }
    }

    /// Creates the directives of a response. `Pragma: no-cache` counts if there is no `Cache-Control`.
    init(of headers: [String: String]) {
        let pragma = headers["pragma"].map { Self($0).has("no-cache") } ?? false
        self.init(headers["cache-control"] ?? (pragma ? "no-cache" : ""))
    }

    /// Whether the response must not be stored. `must-understand` lifts the ban, because all statuses that are stored
    /// are understood.
    var forbidsStore: Bool { has("no-store") && !has("must-understand") }

    /// Whether the response is meant for a single user. With an argument, `private` applies only to the fields it
    /// names.
    var isPrivate: Bool { directives["private"]?.isEmpty ?? false }

    /// Whether the response must be revalidated before every use. With an argument, `no-cache` applies only to the
    /// fields it names.
    var requiresRevalidation: Bool { directives["no-cache"]?.isEmpty ?? false }

    /// The names of the fields that `no-cache` forbids to use without revalidation, and which are therefore not stored.
    var unstorableFields: [String] { directives["no-cache"]?.listMembers ?? [] }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// Returns the number of seconds that a directive has as its value; 0, which means stale, if that is not a number.
    func seconds(_ name: String) -> Double? { directives[name].map { Self.seconds($0[...]) ?? 0 } }

    /// Returns the duration that a directive has as its value; zero if that is not a number of seconds.
    func duration(_ name: String) -> Duration? { seconds(name).map { Duration(saturatingSeconds: $0) } }

    /// Returns a number of seconds in the notation of fields, which is digits only (section 1.2.2).
    static func seconds(_ text: Substring) -> Double? {
        guard text.isDecimal else { return nil }
        return Int(decimal: text).map { min(Double($0), Self.maximumSeconds) } ?? Self.maximumSeconds
    }

    /// Returns the number of seconds in an `Age` field. Of several, the first counts (section 5.1).
    static func age(_ field: String) -> Double? {
        seconds(field.fields(separatedBy: UInt8(ascii: ","))[0].trimmed)
    }

    /// Returns the parts between unquoted commas, without the quotes.
    private static func parts(of field: String) -> [Substring] {
        let quote = UInt8(ascii: "\"")
        guard field.utf8.contains(quote) else { return field.fields(separatedBy: UInt8(ascii: ",")) }
        // An unterminated quote would hide the rest of the field, which may forbid something, so all quotes are
        // ignored.
        let parts =
            quotedParts(of: field)
            ?? field.utf8.filter { $0 != quote }.split(separator: UInt8(ascii: ",")).map(Array.init)
        return parts.map { String(decoding: $0, as: UTF8.self)[...] }
    }

    /// Returns the parts of a field whose quotes are all terminated; `nil` otherwise.
    private static func quotedParts(of field: String) -> [[UInt8]]? {
        var parts: [[UInt8]] = [[]]
        var (isQuoted, isEscaped) = (false, false)
        for byte in field.utf8 {
            switch byte {
            case UInt8(ascii: "\\") where isQuoted && !isEscaped:
                isEscaped = true
                continue
            case UInt8(ascii: "\"") where !isEscaped: isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: parts.append([])
            default: parts[parts.count - 1].append(byte)
            }
            isEscaped = false
        }
        return isQuoted ? nil : parts
    }
}
