import CChecksum
import DarkroomCore
import DarkroomTestKit
import Testing

@Suite struct DigestTests {
    /// Texts and their digests as Python's hashlib gives them; RFC 1321 and RFC 6234 have the first three as well. The
    /// padding takes a second block from 56 bytes on.
    static let vectors: [(String, md5: String, sha256: String)] = [
        (
            "", "d41d8cd98f00b204e9800998ecf8427e",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            "abc", "900150983cd24fb0d6963f7d28e17f72",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "8215ef0796a20bcaaae116d3876c664a",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65",
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
        ),
        (
            String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218",
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
        ),
        (
            String(repeating: "a", count: 63), "b06521f39153d618550606be297466d5",
            "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"
        ),
        (
            String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367",
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
        ),
        (
            String(repeating: "a", count: 65), "c743a45e0d2e6a95cb859adae0248435",
            "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"
        ),
        (
            String(repeating: "a", count: 119), "8a7bd0732ed6a28ce75f6dabc90e1613",
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
        ),
        (
            String(repeating: "a", count: 120), "5f61c0ccad4cac44c75ff505e1f1e537",
            "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"
        ),
        (
            String(repeating: "a", count: 1000), "cabe45dcc9ae5b66ba86600cca6b8ba8",
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
        ),
    ]

    @Test(arguments: vectors)
    func knownVectorsAgree(_ text: String, _ md5: String, _ sha256: String) {
        #expect(unsafe digest(of: text, byteCount: 16, darkroom_md5) == md5)
        #expect(unsafe digest(of: text, byteCount: 32, darkroom_sha256) == sha256)
        #expect(unsafe digest(of: text, byteCount: 32, darkroom_sha256_portable) == sha256)
    }

    @Test(arguments: 0..<200)
    func instructionsAndPortableCodeAgreeOnSHA256(_ count: Int) {
        var random = SeededGenerator(seed: count)
        let text = String(decoding: random.bytes(count), as: UTF8.self)
        let (fast, portable) = unsafe (
            digest(of: text, byteCount: 32, darkroom_sha256), digest(of: text, byteCount: 32, darkroom_sha256_portable)
        )
        #expect(fast == portable)
    }

    private typealias Digest = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void

    private func digest(of text: String, byteCount: Int, _ digest: Digest) -> String {
        var text = text
        return text.withUTF8 { bytes in
            unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { result, count in
                unsafe digest(bytes.baseAddress, bytes.count, result.baseAddress)
                count = byteCount
            }
        }.hexadecimalText
    }
}
