import DarkroomCore
import Testing

struct LinearLightTests {
    @Test func everyValueRoundTrips() {
        for value in UInt8.min...UInt8.max {
            #expect(LinearLight.sRGBValue(of: LinearLight.linearFromSRGB[Int(value)]) == value)
        }
    }

    @Test func lightIsRoundedToTheNearestValue() {
        for value in 0..<255 {
            let (low, high) = (LinearLight.linearFromSRGB[value], LinearLight.linearFromSRGB[value + 1])
            #expect(LinearLight.sRGBValue(of: low + (high - low) * 0.1) == UInt8(value))
            #expect(LinearLight.sRGBValue(of: low + (high - low) * 0.9) == UInt8(value + 1))
        }
    }

    @Test func outOfRangeLightIsClamped() {
        #expect(LinearLight.sRGBValue(of: -1) == 0)
        #expect(LinearLight.sRGBValue(of: .nan) == 0)
        #expect(LinearLight.sRGBValue(of: 7) == 255)
        #expect(LinearLight.sRGBValue(of: .infinity) == 255)
    }

    @Test func valuesMatchTheStandard() {
        #expect(LinearLight.linearFromSRGB[0] == 0)
        #expect(LinearLight.linearFromSRGB[255] == 1)
        // 188/255 is about half the light.
        #expect(abs(LinearLight.linearFromSRGB[188] - 0.5029) < 0.0001)
        #expect(abs(LinearLight.linearFromSRGB[5] - 5 / 255 / 12.92) < 0.000001)
    }
}
