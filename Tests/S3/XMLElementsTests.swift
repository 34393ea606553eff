#if S3
    import DarkroomTestKit
    import FoundationEssentials
    import Testing

    @testable import DarkroomS3

    @Suite struct XMLElementsTests {
        private static let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a > b --><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
            <Name>b</Name><Prefix a='>'/><IsTruncated>true</IsTruncated>
            <Contents><Key>a&amp;b&lt;c&#62;&#x64;</Key><Size>1</Size><Owner><Key>no</Key></Owner></Contents>
            <Contents><Key><![CDATA[x<y]]></Key></Contents>
            <NextContinuationToken>1/+=</NextContinuationToken></ListBucketResult>
            """

        @Test func pageIsRead() throws {
            let page = try ObjectList(Data(Self.list.utf8))
            #expect(page.keys == ["a&b<c>d", "x<y"])
            #expect(page.isTruncated)
            #expect(page.nextToken == "1/+=")
        }

        @Test func prefixesOfNamesAreIgnored() throws {
            let text = "<s3:ListBucketResult><s3:Contents><s3:Key>a</s3:Key></s3:Contents></s3:ListBucketResult>"
            let page = try ObjectList(Data(text.utf8))
            #expect(page.keys == ["a"] && !page.isTruncated && page.nextToken == nil)
        }

        @Test(arguments: [
            "", "a", "<", "<a", "<a>", "</a>", "<a></b>", "<a>&", "<a>&none;</a>", "<a>&#xD800;</a>",
            "<a>&#99999999;</a>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a/>", "<ListBucketResult>", "<![CDATA[", "<!--", "<?",
            "< a/>",
            "<ListBucketResult b='></ListBucketResult>", String(repeating: "<a>", count: 1_000_000),
        ])
        func malformedListIsRefused(_ text: String) {
            #expect(throws: XMLElements.Malformed.self) { try ObjectList(Data(text.utf8)) }
        }

        @Test func noPrefixOfAListIsAList() {
            for count in 0..<Self.list.utf8.count {
                #expect(throws: XMLElements.Malformed.self) { try ObjectList(Data(Self.list.utf8.prefix(count))) }
            }
        }

        @Test func damagedListsEndInAPageOrAnError() {
            var generator = SeededGenerator(seed: 1)
            for _ in 0..<2_000 {
                var bytes = Array(Self.list.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = bytes.indices.randomElement(using: &generator) ?? 0
                    bytes[index] = UInt8(truncatingIfNeeded: generator.next())
                }
                _ = try? ObjectList(Data(bytes))
                _ = EngineError(Data(bytes))
            }
        }

        @Test(arguments: [
            ("<Error><Code>NoSuchKey</Code><Message>m</Message></Error>", "NoSuchKey"),
            ("<Error><Message>m</Message><Code>AccessDenied</Code>", "AccessDenied"),
            ("<ErrorResponse><Error><Code>A1</Code></Error></ErrorResponse>", "A1"),
            ("<Error><Code>a b</Code></Error>", nil), ("<Error><Code></Code></Error>", nil),
            ("<html><Code>A</Code></html>", nil), ("not found", nil), ("", nil),
            ("<Error><Code>\(String(repeating: "a", count: 65))</Code></Error>", nil),
        ])
        func codeOfAnErrorIsRead(_ text: String, _ code: String?) {
            #expect(EngineError(Data(text.utf8)).code == code)
        }

        @Test(arguments: [
            ("<Error><Code>A</Code><Region>eu-central-1</Region></Error>", "A, the region is eu-central-1"),
            ("<Error><Region>default</Region></Error>", "the region is default"),
            ("<Error><Code>A</Code><Region>eu central</Region></Error>", "A"),
            ("<Error><Code>A</Code><Region></Region></Error>", "A"), ("<Error/>", nil),
        ])
        func regionOfAnErrorIsRead(_ text: String, _ summary: String?) {
            #expect(EngineError(Data(text.utf8)).summary == summary)
        }
    }
#endif
