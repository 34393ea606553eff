#if HTTP
    /// The encoding of labels of international domain names (RFC 3492).
    enum Punycode {
        private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

        /// The maximum number of scalars that are encoded; a label of a name has fewer.
        private static let scalarLimit = 63

        /// Returns the ASCII form of `label`, without the prefix `xn--`; `nil` if it is too long for a label.
        static func encode(_ label: [Unicode.Scalar]) -> String? {
            guard label.count <= scalarLimit else { return nil }
            var output = label.filter(\.isASCII).map { UInt8($0.value) }
            let basicCount = output.count
            if basicCount > 0 { output.append(UInt8(ascii: "-")) }
            var (code, delta, bias, handled) = (128, 0, 72, basicCount)
            while handled < label.count {
                guard let next = label.map({ Int($0.value) }).filter({ $0 >= code }).min() else { return nil }
                delta += (next - code) * (handled + 1)
                code = next
                for scalar in label {
                    if scalar.value < code { delta += 1 }
                    guard scalar.value == code else { continue }
                    append(delta, bias: bias, to: &output)
                    bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                    delta = 0
                    handled += 1
                }
                delta += 1
                code += 1
            }
            return String(decoding: output, as: UTF8.self)
        }

        private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
            var (rest, k) = (delta, base)
            while true {
                let threshold = min(max(k - bias, tMin), tMax)
                guard rest >= threshold else { break }
                output.append(digit(threshold + (rest - threshold) % (base - threshold)))
                rest = (rest - threshold) / (base - threshold)
                k += base
            }
            output.append(digit(rest))
        }

        private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
            var delta = isFirst ? delta / damp : delta / 2
            delta += delta / count
            var k = 0
            while delta > (base - tMin) * tMax / 2 {
                delta /= base - tMin
                k += base
            }
            return k + (base - tMin + 1) * delta / (delta + skew)
        }

        private static func digit(_ value: Int) -> UInt8 {
            value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
        }
    }
#endif
