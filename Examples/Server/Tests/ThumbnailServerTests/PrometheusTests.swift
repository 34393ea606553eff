import CoreMetrics
import PrometheusText
import Testing

struct PrometheusTests {
    @Test func metricsAreSorted() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "b.requests", dimensions: [("status", "200")]).increment(by: 2)
        registry.makeCounter(label: "b.requests", dimensions: [("status", "200")]).increment(by: 1)
        registry.makeCounter(label: "b.requests", dimensions: [("status", "4\"\\\n")]).increment(by: 1)
        registry.makeMeter(label: "a_bytes", dimensions: []).set(2.5)
        #expect(
            registry.text() == """
                # TYPE a_bytes gauge
                a_bytes 2.5
                # TYPE b_requests_total counter
                b_requests_total{status="200"} 3
                b_requests_total{status="4\\"\\\\\\n"} 1

                """)
    }

    @Test func timersAreHistogramsOfSeconds() {
        let registry = PrometheusRegistry()
        let timer = registry.makeTimer(label: "duration", dimensions: [("cache", "hit")])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(400_000_000)
        let lines = registry.text().split(separator: "\n")
        #expect(lines.contains("duration_seconds_bucket{cache=\"hit\",le=\"0.001\"} 0"))
        #expect(lines.contains("duration_seconds_bucket{cache=\"hit\",le=\"0.003\"} 1"))
        #expect(lines.contains("duration_seconds_bucket{cache=\"hit\",le=\"+Inf\"} 2"))
        #expect(lines.contains("duration_seconds_sum{cache=\"hit\"} 0.402"))
        #expect(lines.contains("duration_seconds_count{cache=\"hit\"} 2"))
    }

    @Test(arguments: ["a\r\nb", "\"\u{301}} 1\nevil 1", "\\\u{301}\"", "\r\n"])
    func anyLabelIsOneLine(_ value: String) {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "a\r\n\u{301}b", dimensions: [("k\r\n", value)]).increment(by: 1)
        let text = registry.text()
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 2)
        // All quotation marks except the two around the value are escaped.
        let plain = text.utf8.indices.dropFirst().filter {
            text.utf8[$0] == UInt8(ascii: "\"") && text.utf8[text.utf8.index(before: $0)] != UInt8(ascii: "\\")
        }
        #expect(plain.count <= 2)
    }

    @Test func seriesPerNameAreLimited() {
        let registry = PrometheusRegistry(seriesLimit: 10)
        for number in 0..<1000 {
            registry.makeCounter(label: "a", dimensions: [("url", "\(number)")]).increment(by: 1)
        }
        #expect(registry.text().split(separator: "\n").count == 11)
    }
}
