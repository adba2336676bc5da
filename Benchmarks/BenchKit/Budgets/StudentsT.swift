// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Student's t distribution with a whole number of degrees of freedom.
package enum StudentsT {
    /// The chance of a value at least this far from zero, to either side (Abramowitz and Stegun,
    /// Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
    package static func chance(beyond value: Double, degrees: Int) -> Double {
        let angle = atan(abs(value) / Double(degrees).squareRoot())
        let isEven = degrees.isMultiple(of: 2)
        var term = isEven ? 1 : cos(angle)
        var sum = degrees == 1 ? 0 : term
        for factor in stride(from: isEven ? 1 : 2, through: degrees - 3, by: 2) {
            term *= Double(factor) / Double(factor + 1) * cos(angle) * cos(angle)
            sum += term
        }
        let within = sin(angle) * sum
        return max(0, 1 - (isEven ? within : 2 / Double.pi * (angle + within)))
    }

    /// The distance from zero beyond which a value lies with this chance.
    ///
    /// - Parameter chance: between 0 and 1, and no less than a millionth of a millionth: less is
    ///   lost when it is taken from 1.
    package static func value(chance: Double, degrees: Int) -> Double {
        var low = 0.0
        var high = 1.0
        while self.chance(beyond: high, degrees: degrees) > chance { high *= 2 }
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if self.chance(beyond: middle, degrees: degrees) > chance {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }
}
