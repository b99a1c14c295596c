import type { Fence, Lease } from "./store.ts";
import { StoreProblem } from "./storeProblem.ts";
import type { Rows } from "./tables.ts";

/** What is kept of a lease. It stays when released, because its fence may never fall. */
type LeaseRow = { readonly holder: string; readonly fence: number; readonly expiresAt: number };

const EVERYONE = "";

/** The lease for its new owner; undefined while it is somebody else's. Its own holder gets it again, under a new fence. */
export function acquireLease(
	rows: Rows,
	lease: string,
	{ holder, ms, now }: { readonly holder: string; readonly ms: number; readonly now: number },
): Lease | undefined {
	const before = readLease(rows, lease);
	if (before !== undefined && before.holder !== holder && before.expiresAt > now) return undefined;
	const fence = (before?.fence ?? 0) + 1;
	putLease(rows, lease, { holder, fence, expiresAt: now + ms });
	return { lease, holder, fence };
}

/** False if it has another fence by now. */
export function renewLease(rows: Rows, { lease, holder, fence }: Lease, expiresAt: number): boolean {
	if (readLease(rows, lease)?.fence !== fence) return false;
	putLease(rows, lease, { holder, fence, expiresAt });
	return true;
}

/** Throws unless the writer still owns the lease. Time alone ends no ownership. */
export function checkFence(rows: Rows, { lease, fence }: Fence): void {
	const now = readLease(rows, lease)?.fence;
	if (now !== fence)
		throw new StoreProblem("FENCE_LOST", `${lease}: expected the owner with fence ${now ?? "none"}, got ${fence}`);
}

function readLease(rows: Rows, lease: string): LeaseRow | undefined {
	const text = rows.get("lease", EVERYONE, lease);
	return text === undefined ? undefined : (JSON.parse(text) as LeaseRow);
}

function putLease(rows: Rows, lease: string, row: LeaseRow): void {
	rows.put("lease", EVERYONE, lease, JSON.stringify(row));
}
