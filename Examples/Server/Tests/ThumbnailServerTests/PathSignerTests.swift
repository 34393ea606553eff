import Foundation
import Testing

@testable import ThumbnailServer

struct PathSignerTests {
    private let old = Data("0123456789abcdef".utf8)
    private let new = Data("fedcba9876543210".utf8)

    @Test func signatureMatchesOpenSSL() throws {
        // printf '%s' '/-/sample/a.jpg' | openssl dgst -sha256 -hmac 0123456789abcdef -binary | basenc --base64url
        let signer = try #require(PathSigner(keys: [old]))
        #expect(signer.signature(of: "/-/sample/a.jpg") == Self.known)
    }

    @Test func anyOfTheKeysIsAccepted() throws {
        let (before, during) = (try #require(PathSigner(keys: [old])), try #require(PathSigner(keys: [new, old])))
        let text: Substring = "/blur:3/https%3A%2F%2Fexample.com%2Fa.jpg"
        #expect(during.accepts(Substring(before.signature(of: text)), of: text))
        #expect(during.accepts(Substring(during.signature(of: text)), of: text))
        #expect(!before.accepts(Substring(during.signature(of: text)), of: text))
    }

    @Test(arguments: ["", "insecure", "A", "====", "é", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func otherSignaturesAreRejected(signature: String) throws {
        let signer = try #require(PathSigner(keys: [old]))
        #expect(!signer.accepts(Substring(signature), of: "/-/a"))
    }

    @Test func everyByteIsSigned() throws {
        let signer = try #require(PathSigner(keys: [old]))
        let signature = Substring(signer.signature(of: "/-/https://example.com/a%20b"))
        #expect(!signer.accepts(signature, of: "/-/https://example.com/a b"))
        #expect(!signer.accepts(signature.dropLast(), of: "/-/https://example.com/a%20b"))
    }

    @Test(
        .bug(id: "Fix signatures of many spellings"),
        arguments: [
            known + "=", known + "==", known.replacing("-", with: "+"), known.replacing("_", with: "/"), known + "A",
            // Only four bits of the last letter are used.
            known.replacing("Kgl1o", with: "Kgl1p"), known.replacing("4o8", with: "%34o8"), known + "\n", " " + known,
            known + "\u{301}",
        ]
    )
    func pathHasOneSignature(spelling: String) throws {
        let signer = try #require(PathSigner(keys: [old]))
        #expect(signer.accepts(Substring(Self.known), of: "/-/sample/a.jpg"))
        #expect(!signer.accepts(Substring(spelling), of: "/-/sample/a.jpg"))
    }

    @Test func shortKeysAreRefused() {
        #expect(PathSigner(keys: []) == nil)
        #expect(PathSigner(keys: [Data("short".utf8)]) == nil)
    }

    static let known = "4o8BQTIcmC3g9k5r9oCEGui_s4hfy-iJ_UM5aAKgl1o"
}
