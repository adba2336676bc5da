// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// The cores of a thread, as bits. Linux wants no fewer than it has.
type cores [16]uint64

// The kernel's name for the calling thread.
const own = 0

func coresOf(thread int) (set cores) {
	_, _, failure := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, uintptr(thread),
		unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	if failure != 0 {
		panic(failure)
	}
	return
}

func (set cores) give(thread int) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(thread),
		unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
}

// The core with this number, counted round among those of the set.
func (set cores) one(number int) (one cores) {
	var all []int
	for core := 0; core < 64*len(set); core++ {
		if set[core/64]>>(core%64)&1 == 1 {
			all = append(all, core)
		}
	}
	core := all[number%len(all)]
	one[core/64] = 1 << (core % 64)
	return
}

// Runs the work on one core, as the lab does with a queue: the thread that begins it stays there. The
// goroutine is not tied to the thread, since each yield would then cost a change of threads; in the end
// every thread may run anywhere again.
func onCore(number int, work func()) {
	all := coresOf(os.Getpid())
	all.one(number).give(own)
	defer func() {
		threads, _ := os.ReadDir("/proc/self/task")
		for _, thread := range threads {
			if id, err := strconv.Atoi(thread.Name()); err == nil {
				all.give(id)
			}
		}
	}()
	work()
}

// The CPU time of the calling thread, in nanoseconds.
func threadCPU() int64 {
	const thread = 1 // RUSAGE_THREAD
	var use syscall.Rusage
	if err := syscall.Getrusage(thread, &use); err != nil {
		panic(err)
	}
	return use.Utime.Nano() + use.Stime.Nano()
}

// Sleeps as the thread does, and wakes no other one of the runtime's.
func pause(nanoseconds int64) {
	time := syscall.NsecToTimespec(nanoseconds)
	_ = syscall.Nanosleep(&time, nil)
}
