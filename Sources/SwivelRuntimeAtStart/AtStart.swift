// SPDX-License-Identifier: Apache-2.0
internal import CSwivelAtStart
internal import SwivelCore
internal import SwivelRuntime

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Called before `main`, in every program that this module is linked into.
@_cdecl("swivel_runtime_at_start")
func installAtStart() {
    let setting = value(of: "SWIVEL_RUNTIME") ?? "everything"
    let mainActor: SwivelRuntime.MainActorPlace
    switch value(of: "SWIVEL_RUNTIME_MAIN") ?? "platform" {
    case "loop": mainActor = .loop
    case "platform": mainActor = .platform
    case let place:
        mainActor = .platform
        Diagnostics.warn(
            "SWIVEL_RUNTIME_MAIN is '\(place)', and may be platform or loop: it is platform")
    }
    do {
        switch setting {
        case "everything": try SwivelRuntime.install(.everything, mainActor: mainActor)
        case "timers": try SwivelRuntime.install(.timers, mainActor: mainActor)
        case "off": break
        default:
            Diagnostics.warn(
                "SWIVEL_RUNTIME is '\(setting)', and may be everything, timers or off: it is off")
        }
    } catch {
        Diagnostics.warn("the program's tasks stay on the platform's executors: \(error)")
    }
}

/// `nil`: it is not set, or to nothing.
private func value(of variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
