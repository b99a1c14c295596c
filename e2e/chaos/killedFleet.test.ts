// Sessions at work behind a balancer while the nodes of their fleet end; the long run is killedFleet.soak.ts.
import { verifies } from "../verifies.ts";
import { killFleetFor } from "./killedFleet.ts";

verifies(
	["fleet-chaos"],
	"a fleet whose nodes and database are killed, stopped and frozen loses no session and no promised answer, and doubles no call",
	(t) => killFleetFor(t, 1),
	{ timeout: 600_000 },
);
