import FoundationEssentials

/// An input of the fuzzer: a file or a text, whose last bytes also decide what is done with it.
///
/// They remain a part of the file, so that corpora consist of files that other programs open.
struct FuzzedBytes {
    let bytes: [UInt8]

    /// The bytes as text, with replacement characters for invalid ones.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var data: Data { Data(bytes) }

    /// The numbers that the last bytes decide.
    var choices: FuzzedChoices { FuzzedChoices(Array(bytes.suffix(16).reversed())) }

    /// The input divided at the first line feeds into `count` texts, some of which may be empty.
    func lines(_ count: Int) -> [String] {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: count - 1, omittingEmptySubsequences: false)
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        return texts + Array(repeating: "", count: count - texts.count)
    }
}

/// Numbers from bytes, which repeat.
struct FuzzedChoices {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns a number from 0 to one less than `bound`, which is at most 65,536.
    mutating func next(below bound: Int) -> Int {
        guard !bytes.isEmpty, bound > 1 else { return 0 }
        var number = 0
        for _ in 0..<(bound > 256 ? 2 : 1) {
            number = number << 8 | Int(bytes[position % bytes.count])
            position += 1
        }
        return number % bound
    }

    mutating func flag() -> Bool { next(below: 2) == 1 }
}
