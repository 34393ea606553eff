import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It says that its pictures may be asked for at any size, and gives one.
struct NeverScaling: ScalableCoder {}
