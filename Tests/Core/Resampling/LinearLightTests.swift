import DarkroomCore
import Testing

struct LinearLightTests {
    @Test func eachValueComesBack() {
        for value in UInt8.min...UInt8.max {
            #expect(LinearLight.value(of: LinearLight.ofValues[Int(value)]) == value)
        }
    }

    @Test func lightBetweenTwoValuesGoesToTheNearestByValue() {
        for value in 0..<255 {
            let (low, high) = (LinearLight.ofValues[value], LinearLight.ofValues[value + 1])
            #expect(LinearLight.value(of: low + (high - low) * 0.1) == UInt8(value))
            #expect(LinearLight.value(of: low + (high - low) * 0.9) == UInt8(value + 1))
        }
    }

    @Test func lightOutOfRangeIsBlackOrWhite() {
        #expect(LinearLight.value(of: -1) == 0)
        #expect(LinearLight.value(of: .nan) == 0)
        #expect(LinearLight.value(of: 7) == 255)
        #expect(LinearLight.value(of: .infinity) == 255)
    }

    @Test func valuesAreThoseOfTheStandard() {
        #expect(LinearLight.ofValues[0] == 0)
        #expect(LinearLight.ofValues[255] == 1)
        // 188/255 is about half the light.
        #expect(abs(LinearLight.ofValues[188] - 0.5029) < 0.0001)
        #expect(abs(LinearLight.ofValues[5] - 5 / 255 / 12.92) < 0.000001)
    }
}
