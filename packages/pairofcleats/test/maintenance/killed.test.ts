import { verifies } from "../../../../e2e/verifies.ts";
import { KILL_CASES, READS_INDEX } from "./killCases.ts";
import { killEveryTool } from "./killEveryTool.ts";

const LINUX = { skip: process.platform === "linux" ? (false as const) : "needs /proc", timeout: 280_000 };
/** Those that are stopped where they read the index; killed.soak.ts kills each by itself. */
const READERS = KILL_CASES.filter(({ stops }) => stops === READS_INDEX);
/** Before its step in every other tool, after it in the others; killed.soak.ts kills each at both. */
const ONCE = KILL_CASES.filter((one) => !READERS.includes(one)).map((one, index) =>
	one.tool === "triage_decision" ? one : { ...one, stops: one.stops.slice(index % one.stops.length).slice(0, 1) },
);

verifies(
	"002-replay-pairofcleats-declares",
	"a call whose worker is killed in its midst is answered as its contract says: the same again, or in doubt; nothing is lost, doubled or half done",
	(t) => killEveryTool(t, ONCE, READERS),
	LINUX,
);
