// The run of killedGateway.test.ts for as long as the soak takes.
import { test } from "node:test";
import { killGatewayFor } from "./killedGateway.ts";

const MINUTES = Number(process.env.HOLDFAST_SOAK_MINUTES ?? 1);

test(
	`${MINUTES} minutes of killing the gateway lose no session and no promised answer, and double no call`,
	{
		timeout: MINUTES * 60_000 + 400_000,
	},
	(t) => killGatewayFor(t, MINUTES),
);
