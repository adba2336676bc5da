// SPDX-License-Identifier: Apache-2.0
// The names that only SwivelCompat has. Below each use is what its deprecation says to write.
import Swivel
import SwivelCompat

private struct Fault: Error {}

private struct Silent: LoggerType {
    // use: private struct Silent {
    func log(message: String) {}
}

private func parts(_ result: Result<Int, Fault>, _ f: Future<Int, Fault>) {
    let value = result.value
    // use: let value = try? result.get()
    if let error = result.error { print(error) }
    // use: switch result { case .failure(let error): print(error); default: break }
    _ = f.debug(logger: Logger())
    // use: _ = f.debug { print($0) }
    _ = value
}
