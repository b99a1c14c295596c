// Appends records to a shared log as fast as it can: jsonlWriter.ts <path> <name> <records> <maxBytes>
import { createFault } from "../../src/fault/fault.ts";
import { JsonlLog } from "../../src/telemetry/jsonlLog.ts";

const [path = "", name = "", records = "0", maxBytes = "0"] = process.argv.slice(2);
const log = new JsonlLog({ path, name, maxBytes: Number(maxBytes) });
for (let n = 0; n < Number(records); n++) {
	log.record({
		event: "call",
		at: Date.now(),
		generation: 1,
		method: "tools/call",
		tool: name,
		id: String(n),
		latencyMs: n % 10,
		attempts: 1,
		outcome: "ok",
	});
}
log.record({
	event: "fault",
	at: Date.now(),
	generation: 1,
	fault: createFault("process", "exit", { detail: name, generation: 1 }),
});
log.close();
