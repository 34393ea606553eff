#if arch(x86_64)
    internal import CPixels
#endif

/// The implementation of the kernels. All give bit-identical results.
package enum ResamplingPath: CaseIterable, Sendable {
    case portable
    case avx2
    /// Like `avx2`, with the horizontal pass in AVX-512 with VNNI.
    case avx512

    /// The fastest implementation that this processor supports.
    package static let fastest = available.last ?? .portable

    /// The implementations that this processor supports.
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
