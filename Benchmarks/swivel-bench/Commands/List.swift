// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import BenchKit

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the scenarios, their variants and the rivals in each.")

    func run() {
        for scenario in Catalogue.all {
            print("\(scenario.name): \(scenario.summary)")
            for contest in scenario.contests(Plan(isQuick: false)) {
                let rivals = contest.rivals.map(\.name).joined(separator: ", ")
                print("    \(contest.variant) (against \(rivals))")
            }
        }
    }
}
