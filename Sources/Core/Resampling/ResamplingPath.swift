#if arch(x86_64)
    internal import CPixels
#endif

/// Which code does the arithmetic. All give the same bits.
package enum ResamplingPath: CaseIterable, Sendable {
    case portable
    case avx2
    /// As `avx2`, with one function more.
    case avx512

    /// The fastest that the processor runs.
    package static let fastest = available.last ?? .portable

    /// Those that the processor runs.
    package static var available: [ResamplingPath] { allCases.filter(\.isAvailable) }

    private var isAvailable: Bool {
        #if arch(x86_64)
            switch self {
            case .portable: true
            case .avx2: darkroom_has_avx2()
            case .avx512: darkroom_has_avx2() && darkroom_has_avx512()
            }
        #else
            self == .portable
        #endif
    }
}
