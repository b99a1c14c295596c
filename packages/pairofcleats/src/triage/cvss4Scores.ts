/**
 * What the worst vector of each macrovector of CVSS 4.0 scores, in tenths: a row for each level of EQ1, EQ2 and EQ3 with EQ6 (00, 01, 10,
 * 11, 21), the last counting fastest, and in it a number for each level of EQ4 and EQ5.
 *
 * The numbers are those of FIRST (github.com/FIRSTdotorg/cvss-v4-calculator, cvss_lookup.js).
 * Copyright (c) 2023 FIRST.ORG, Inc., Red Hat, and contributors; licensed under BSD-2-Clause:
 *
 * Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions
 * are met:
 * 1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in
 *    the documentation and/or other materials provided with the distribution.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
 * LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE
 * COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
 * (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION)
 * HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
 * ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
 */
export const MACROVECTOR_TENTHS: readonly (readonly number[])[] = [
	[100, 98, 95, 100, 93, 91, 93, 89, 81],
	[99, 95, 92, 96, 87, 81, 90, 80, 68],
	[98, 95, 90, 93, 89, 81, 88, 78, 69],
	[95, 92, 84, 92, 81, 65, 80, 70, 48],
	[92, 82, 72, 79, 69, 50, 69, 55, 27],
	[99, 95, 92, 95, 90, 84, 92, 82, 72],
	[97, 92, 85, 91, 83, 71, 81, 71, 53],
	[95, 92, 85, 92, 80, 70, 84, 71, 50],
	[93, 85, 73, 82, 72, 59, 70, 52, 30],
	[86, 75, 52, 71, 52, 29, 63, 29, 17],
	[98, 94, 91, 94, 86, 77, 87, 74, 63],
	[95, 87, 81, 89, 74, 64, 75, 63, 49],
	[94, 88, 76, 86, 74, 59, 72, 57, 52],
	[89, 77, 67, 76, 58, 50, 57, 52, 25],
	[83, 70, 54, 65, 58, 26, 53, 21, 13],
	[95, 88, 76, 90, 75, 61, 77, 68, 52],
	[90, 76, 70, 77, 62, 53, 66, 59, 30],
	[89, 76, 62, 74, 57, 47, 61, 57, 24],
	[78, 67, 58, 59, 57, 23, 52, 29, 16],
	[71, 59, 30, 58, 26, 15, 23, 13, 6],
	[93, 86, 75, 86, 74, 56, 70, 52, 40],
	[87, 72, 58, 74, 61, 34, 54, 40, 22],
	[85, 74, 62, 72, 55, 46, 53, 34, 19],
	[75, 55, 51, 57, 41, 19, 36, 19, 8],
	[64, 51, 20, 47, 21, 11, 24, 9, 4],
	[88, 73, 60, 73, 59, 41, 54, 45, 20],
	[75, 53, 50, 55, 40, 20, 43, 22, 11],
	[75, 58, 40, 61, 48, 20, 46, 17, 8],
	[55, 45, 21, 51, 18, 9, 18, 7, 2],
	[53, 24, 14, 24, 12, 5, 10, 3, 1],
];
