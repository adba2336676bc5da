// SPDX-License-Identifier: Apache-2.0
module swivel-rival-go

go 1.19
