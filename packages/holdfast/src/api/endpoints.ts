import type { Endpoint } from "./endpoint.ts";
import { approvalEndpoints } from "./routes/approvals.ts";
import { callEndpoints } from "./routes/calls.ts";
import { codeEndpoints } from "./routes/code.ts";
import { serverEndpoints } from "./routes/servers.ts";
import { timelineEndpoints } from "./routes/timeline.ts";
import { toolEndpoints } from "./routes/tools.ts";
import { trafficEndpoints } from "./routes/traffic.ts";

/** Everything the API can do. */
export const ENDPOINTS: readonly Endpoint[] = [
	...serverEndpoints,
	...trafficEndpoints,
	...timelineEndpoints,
	...callEndpoints,
	...toolEndpoints,
	...approvalEndpoints,
	...codeEndpoints,
];
