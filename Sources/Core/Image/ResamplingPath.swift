internal import CPixels

/// Which code does the arithmetic. All give the same bits.
package enum ResamplingPath: CaseIterable, Sendable {
    case portable
    case avx2

    /// The fastest that the processor runs.
    package static let fastest = available.last ?? .portable

    /// Those that the processor runs.
    package static var available: [ResamplingPath] { allCases.filter(\.isAvailable) }

    private var isAvailable: Bool {
        switch self {
        case .portable: return true
        case .avx2:
            #if arch(x86_64)
                return darkroom_has_avx2()
            #else
                return false
            #endif
        }
    }
}
