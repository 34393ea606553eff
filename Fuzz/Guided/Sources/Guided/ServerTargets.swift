#if Server
    import Darkroom
    import FoundationEssentials
    import HTTPTypes
    @testable import ThumbnailServer

    extension FuzzTarget {
        private static let parser: ThumbnailRequestParser = {
            var settings = ThumbnailSettings()
            settings.allowsInsecure = true
            settings.presets = ["small": "thumbnail:9x9"]
            settings.sources.rules = [SourceRule("https://example.com/a/")!]
            do {
                let manager = try ImageManager { $0.install(StandardPlugins()) }
                return try ThumbnailRequestParser(settings, manager: manager)
            } catch {
                // The settings above are invalid, so there is nothing to fuzz.
                fatalError("\(error)")
            }
        }()

        /// Text that clients send to `thumbnail-server`.
        static let server: [FuzzTarget] = [
            FuzzTarget(
                "thumbnail-paths",
                texts: [
                    "/insecure/thumbnail:180x120+format:webp/https%3A%2F%2Fexample.com%2Fa%2Fb.jpg\nimage/webp,*/*\n2\n300",
                    "/insecure/dpr:auto+width:auto/https://example.com/a/b.jpg@png\nimage/avif;q=0.5, image/png\n1.5\n99",
                    "/insecure/preset:small+quality:auto,80/aHR0cHM6Ly9leGFtcGxlLmNvbS9hL2IuanBn.webp\n\n\n",
                    "/insecure/crop:1,2,30,40+resize:30x20,cover+blur:2/https%3A%2F%2Fexample.com%2Fa%2F%2Fc.png",
                ]
            ) { input in
                let lines = input.lines(4)
                checkParts(of: lines[0])
                var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: lines[0])
                for (name, value) in zip([HTTPField.Name.accept, .pixelRatioHint, .widthHint], lines.dropFirst()) {
                    head.headerFields[name] = value
                }
                let request = try parser.request(for: RequestKey(head))
                let source = request.source.utf8.lowercased
                demand(source.starts(with: "https://example.com/a".utf8), "\(request.source) is not allowed")
            },
            FuzzTarget(
                "accept-fields",
                texts: [
                    "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5\nW/\"a\", \"b\"",
                    "image/jpeg;q=1.000, IMAGE/WEBP ; Q=0.1\n*",
                ]
            ) { input in
                let lines = input.lines(2)
                let header = AcceptHeader(lines[0])
                for type in ["image/avif", "image/webp", "image/png", "x/y"] {
                    demand((0...1).contains(header.quality(of: type)), "a quality of \(header.quality(of: type))")
                }
                let compact = header.compactFormats(among: [.avif, .webp, .jpeg])
                demand(compact.allSatisfy { header.names($0.mimeType) }, "a format that the client does not name")
                demand(Set(compact).count == compact.count, "a format twice")
                let matches = IfNoneMatch.matches("\"none\"", in: [lines[1]])
                demand(!matches || lines[1].utf8.contains { "*n".utf8.contains($0) }, "a tag that was not sent")
            },
        ]

        /// No part of a path may be lost or doubled, because the signature is that of the rest.
        private static func checkParts(of target: String) {
            guard let path = try? ThumbnailPath(Substring(target)) else { return }
            let options = path.options.isEmpty ? "-" : path.options
            demand(path.signedText.utf8.elementsEqual("/\(options)/\(path.source)".utf8), "the signed text differs")
            demand("/\(path.signature)\(path.signedText)".utf8.elementsEqual(target.utf8), "the path differs")
        }
    }
#endif
