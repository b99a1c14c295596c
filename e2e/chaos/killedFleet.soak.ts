// Sessions at work behind a balancer while the nodes of their fleet end, for as long as the soak takes.
import { test } from "node:test";
import { killFleetFor } from "./killedFleet.ts";

const MINUTES = Number(process.env.HOLDFAST_SOAK_MINUTES ?? 1);

test(
	`${MINUTES} minutes of killing the nodes of a fleet lose no session and no promised answer, and double no call`,
	{
		timeout: MINUTES * 60_000 + 600_000,
	},
	(t) => killFleetFor(t, MINUTES),
);
