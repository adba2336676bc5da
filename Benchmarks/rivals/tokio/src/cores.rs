// SPDX-License-Identifier: Apache-2.0

//! The cores of the calling thread, which the lab chooses for every side. Elsewhere than on Linux all
//! of this does nothing.

/// Gives the thread the core with this number, as the lab does with its producers and with threads
/// that are measured alone. Returns the cores that it had.
#[cfg(target_os = "linux")]
pub fn take(number: usize) -> Vec<usize> {
    let cores = own();
    confine(&cores[number % cores.len()..][..1]);
    cores
}

/// Gives the thread these cores.
#[cfg(target_os = "linux")]
pub fn give(cores: &[usize]) {
    confine(cores);
}

/// Leaves the first cores to as many producers, if that leaves any.
#[cfg(target_os = "linux")]
pub fn leave_free(producers: usize) {
    let cores = own();
    if producers < cores.len() {
        confine(&cores[producers..]);
    }
}

#[cfg(target_os = "linux")]
fn own() -> Vec<usize> {
    // SAFETY: a zeroed set is empty, and the call fills it in; 0 is the calling thread.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        assert_eq!(
            libc::sched_getaffinity(0, std::mem::size_of_val(&set), &mut set),
            0
        );
        (0..libc::CPU_SETSIZE as usize)
            .filter(|core| libc::CPU_ISSET(*core, &set))
            .collect()
    }
}

#[cfg(target_os = "linux")]
fn confine(cores: &[usize]) {
    // SAFETY: a zeroed set is empty; 0 is the calling thread.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        cores.iter().for_each(|core| libc::CPU_SET(*core, &mut set));
        libc::sched_setaffinity(0, std::mem::size_of_val(&set), &set);
    }
}

#[cfg(not(target_os = "linux"))]
pub fn take(_: usize) -> Vec<usize> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub fn give(_: &[usize]) {}

#[cfg(not(target_os = "linux"))]
pub fn leave_free(_: usize) {}
