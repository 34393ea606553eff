import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that declares its images scalable, but decodes them at one size only.
struct UnscaledCoder: ScalableCoder {}
