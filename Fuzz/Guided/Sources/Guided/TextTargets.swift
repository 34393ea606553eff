import DarkroomCacheKeyFilters
@testable import DarkroomCore
@testable import DarkroomFile
@testable import DarkroomFiles
@testable import DarkroomTransformers
import FoundationEssentials

extension FuzzTarget {
    private static let url = URL(string: "https://example.com/a.png")!
    private static let fieldNames = [
        "cache-control", "date", "age", "expires", "last-modified", "etag", "vary", "connection", "retry-after",
    ]
    private static let keyFilters: [any CacheKeyFilter] = [
        .removeQueryItems(["token"]), .removeQuery, .keepQueryItems(["id"]), .removeSignatures, .sortQuery,
        .lowercaseHost, .mapHost(["img1.example.com": "img.example.com"]),
    ]

    /// Texts from servers, users and URLs.
    static let texts: [FuzzTarget] = [
        FuzzTarget(
            "response-fields",
            texts: [
                """
                max-age=60, stale-while-revalidate="30", no-cache="set-cookie, x", private
                Sun, 06 Nov 1994 08:49:37 GMT
                120
                Sunday, 06-Nov-94 08:49:37 GMT
                Sun Nov  6 08:49:37 1994
                W/"a"
                Accept, *
                close, x
                120
                """
            ]
        ) { input in
            let values = input.lines(fieldNames.count)
            let headers = Dictionary(uniqueKeysWithValues: zip(fieldNames, values))
            let now = Date(timeIntervalSince1970: 784_111_777)
            let response = ResponseMetadata(url: url, status: 200, headers: headers)
            let freshness = Freshness(of: response, after: [response], sentAt: now, receivedAt: now)
            demand(freshness.staleIfError >= .zero && freshness.staleWhileRevalidate >= .zero, "negative duration")
            demand(response.storable.storable == response.storable, "storable fields are not stable")
            demand(response.isConfirmed(by: response), "a response does not confirm itself")
            let varied = VariedFields(of: response, sent: headers)
            demand(
                varied.isWildcard || varied.match(headers) || varied.fields.values.contains("*"),
                "the request that was sent does not match")
            let error = ImageError(.status, .load, "503", response: response)
            if let delay = RetryPolicy().delay(afterAttempt: 1, error: error) {
                demand(delay >= .zero && delay <= .seconds(60), "the delay of a retry is \(delay)")
            }
        },
        FuzzTarget(
            "transforms",
            texts: TransformNotation.entries.map(\.form.example) + ["resize:300x200,cover,gravity=top+sharpen+flip:h"]
        ) { input in
            let notation = TransformNotation(images: { _ in try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in } })
            let canonical = try notation.canonical(input.text)
            let again = try? notation.canonical(canonical)
            demand(again?.hasBytes(of: canonical) == true, "\(canonical) is not canonical")
            _ = try notation.transformers(for: canonical)
        },
        FuzzTarget(
            "cache-keys",
            texts: [
                "https://IMG1.example.com:80/a/photo@2x.png?token=1&id=2#f", "http://u:p@[FE80::1%25Eth0]/a?b=c&b=d",
                "https://a/b?X-Amz-Algorithm=1&X-Amz-Credential=2&X-Amz-Signature=3&w=4", "file:///srv/a%20b.tar.gz",
            ]
        ) { input in
            let key = CacheKey(source: input.text, variant: ["Thumbnail({180.000000,120.000000},1)"])
            demand(key.description.utf8.count >= input.text.utf8.count, "the key is shorter than its source")
            _ = (key.pathExtension, key.scaleInName)
            guard let url = URL(string: input.text) else { return }
            for filter in keyFilters {
                guard let once = filter.key(for: url, soFar: input.text, context: ImageContext()) else { continue }
                let again = filter.key(for: url, soFar: once, context: ImageContext())
                demand(again?.hasBytes(of: once) == true, "a second pass of \(filter) changes the key")
            }
        },
        FuzzTarget(
            "data-urls",
            texts: [
                "data:image/png;base64,aGVsbG8=", "data:text/plain;charset=utf-8,a%20b#c", "DATA:;BASE64,aGVs%0AbG8",
            ]
        ) { input in
            var choices = input.choices
            let limit = choices.next(below: 64)
            let data = try DataURL(input.text).data(byteLimit: limit)
            demand(data.count <= limit, "\(data.count) bytes exceed the limit of \(limit)")
        },
        FuzzTarget("file-urls", texts: ["file:///srv/a%20b.png", "file://localhost/%C3%A9", "file:a"]) { input in
            guard let url = URL(string: input.text) else { return }
            let path = try FilePath(url).bytes
            demand(path.first == UInt8(ascii: "/") && !path.contains(0), "a path is relative, or ends early")
        },
        FuzzTarget("names", texts: ["image/png; q=1", "JPG", "#80ffffff", "rgba(1, 2, 3, 0.5)"]) { input in
            let text = input.text
            if let color = Color(text) { demand(Color(color.description) == color, "a colour changes") }
            if let format = ImageFormat(named: text) {
                demand(ImageFormat(named: format.mimeType) == format, "a format changes")
            }
        },
    ]
}
