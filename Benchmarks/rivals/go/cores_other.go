// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "time"

// Threads are placed as the system likes, as on all other sides.
func onCore(_ int, work func()) { work() }

// The wait for an idle process is not told apart.
func threadCPU() int64 { return 0 }

func pause(nanoseconds int64) { time.Sleep(time.Duration(nanoseconds)) }
