// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelSchedules

struct Reminder: Codable {
    let customer: Int
    let text: String
}

func scheduleReminders(in store: ScheduleStore) async throws {
    let reminder = Reminder(customer: 17, text: "Your trial ends tomorrow")
    var schedule = try Schedule(
        "reminder 17", job: "mail", .every(.seconds(86_400)), arguments: reminder)
    schedule.attempts = 8
    schedule.backoff = .exponential(base: .seconds(5), limit: .seconds(3_600))
    schedule.timeLimit = .seconds(30)
    schedule.missed = .skip
    try await store.set(schedule)
}

func addMail(to runner: inout ScheduleRunner) {
    runner.atLeastOnce("mail") { tick in
        let reminder = try tick.arguments(Reminder.self)
        try await send(reminder, idempotencyKey: tick.idempotencyKey)
    }
}

/// Stands for a mail service, which sends one mail for equal keys.
func send(_ reminder: Reminder, idempotencyKey: String) async throws {}
