// Sessions at work while their gateway is killed again and again; the long run is killedGateway.soak.ts.
import { verifies } from "../verifies.ts";
import { killGatewayFor } from "./killedGateway.ts";

verifies(
	["store-gateway-killed"],
	"a gateway that is killed every two seconds loses no session and no promised answer, and doubles no call",
	(t) => killGatewayFor(t, 1),
	{ timeout: 400_000 },
);
