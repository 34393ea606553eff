/// The directives of a `Cache-Control` field, read as RFC 9111 section 5.2 says, for a private cache. Unknown ones do no harm.
struct CacheControl: Equatable {
    /// The largest number of seconds; larger ones count as this (section 1.2.2).
    private static let longest = 2_147_483_648.0

    /// Names in lower case. Of several directives of one name the first one counts (section 4.2.1).
    private var directives: [String: String] = [:]

    init(_ field: String) {
        for part in Self.parts(of: field) {
            let pair = part.fields(separatedBy: UInt8(ascii: "="), maxSplits: 1)
            let name = pair[0].trimmed.asciiLowercased
            guard !name.isEmpty, directives[name] == nil else { continue }
            directives[name] = pair.count > 1 ? String(pair[1].trimmed) : ""
        }
    }

    /// What the fields of a response say. `Pragma: no-cache` counts where there is no `Cache-Control`.
    init(of headers: [String: String]) {
        let pragma = headers["pragma"].map { Self($0).has("no-cache") } ?? false
        self.init(headers["cache-control"] ?? (pragma ? "no-cache" : ""))
    }

    /// Whether the response may not be kept at all. `must-understand` takes the ban back, for we know the statuses that we keep.
    var forbidsStore: Bool { has("no-store") && !has("must-understand") }

    /// Whether it is for one user alone. With an argument `private` speaks of the fields that it names only.
    var isPrivate: Bool { directives["private"]?.isEmpty ?? false }

    /// Whether it may never be used unasked. With an argument `no-cache` speaks of the fields that it names only.
    var forbidsUnaskedUse: Bool { directives["no-cache"]?.isEmpty ?? false }

    /// The names of the fields that may not be used unasked, and therefore are not kept.
    var fieldsNotToKeep: [String] { directives["no-cache"]?.listMembers ?? [] }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The value of a directive that is a number of seconds: 0, which means stale, for what is no such number.
    func seconds(_ name: String) -> Double? { directives[name].map { Self.seconds($0[...]) ?? 0 } }

    /// Seconds as fields have them: digits and nothing else (section 1.2.2).
    static func seconds(_ text: Substring) -> Double? {
        guard text.isDecimal else { return nil }
        return Int(decimal: text).map { min(Double($0), longest) } ?? longest
    }

    /// What stands between the commas that are not quoted, without the quotes.
    private static func parts(of field: String) -> [String] {
        let quote = UInt8(ascii: "\"")
        // A quote without end would hide what stands behind it, and that may be a ban: then no quote means anything.
        let parts =
            quotedParts(of: field)
            ?? field.utf8.filter { $0 != quote }.split(separator: UInt8(ascii: ",")).map(Array.init)
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same for a field whose quotes all end; `nil` for another one.
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
