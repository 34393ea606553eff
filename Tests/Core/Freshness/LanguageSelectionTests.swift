@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// No cached response is in another language than the one that an origin server would select (RFC 9110, section 12.5.4).
@Suite struct LanguageSelectionTests {
    /// An origin server that obeys the weights of a request. It breaks ties in one of two ways.
    private struct Server {
        let languages: [String]
        let prefersFirstInField: Bool

        /// Returns the language of the response to a request with this field.
        func language(for field: String) -> String {
            let wanted = field.split(separator: ",").map { member in
                let parts = member.split(separator: ";").map { $0.trimmed.asciiLowercased }
                return (range: parts[0], weight: parts.count > 1 ? Double(parts[1].dropFirst(2)) ?? 1 : 1)
            }
            let ranked = languages.enumerated().map { index, language in
                let place = wanted.firstIndex { $0.range == language } ?? wanted.firstIndex { $0.range == "*" }
                let rank = prefersFirstInField ? (place ?? 0) : index
                return (language: language, weight: place.map { wanted[$0].weight } ?? 0, rank: rank, index: index)
            }
            let best = ranked.filter { $0.weight > 0 }.min {
                ($1.weight, $0.rank, $0.index) < ($0.weight, $1.rank, $1.index)
            }
            return best?.language ?? languages[0]
        }
    }

    private static let languages = ["de", "en", "fr", "it"]
    private static let weights = ["", "", ";q=1", ";q=1.0", ";q=0.9", ";q=0.90", " ; q=0.5", ";q=0.5", ";q=0"]

    private func field(_ random: inout SeededGenerator) -> String {
        let ranges = (Self.languages + ["*", "DE", "En"]).shuffled(using: &random)
        return ranges.prefix(.random(in: 1...3, using: &random))
            .map { $0 + Self.weights.randomElement(using: &random)! }
            .joined(separator: Bool.random(using: &random) ? ", " : ",")
    }

    @Test(arguments: 0..<8) func responseIsInTheLanguageThatTheOriginServerWouldSelect(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let url = try #require(URL(string: "http://example.com/a.plain"))
        var matchCount = 0
        for _ in 0..<20_000 {
            let server = Server(
                languages: Array(Self.languages.shuffled(using: &random).prefix(3)),
                prefersFirstInField: .random(using: &random))
            let (first, second) = (field(&random), field(&random))
            let language = server.language(for: first)
            var headers = ["vary": "Accept-Language"]
            if Bool.random(using: &random) { headers["content-language"] = language }
            let response = ResponseMetadata(url: url, status: 200, headers: headers)
            let varied = VariedFields(of: response, sent: ["accept-language": first])
            #expect(varied.match(["accept-language": first]))
            guard varied.match(["accept-language": second]) else { continue }
            matchCount += 1
            #expect(server.language(for: second) == language, "\(first), then \(second)")
        }
        #expect(matchCount > 1000)
    }
}
