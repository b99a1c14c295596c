// Child process of verifyExtensions: loads the extension given by path, runs a nearest-vector query and prints the
// result.
import { DatabaseSync } from "node:sqlite";
import { sendToParent } from "../contract/childMessage.ts";

const [path = ""] = process.argv.slice(2);
const load = { attempted: true, ok: false, reason: "" };
const smoke = { attempted: false, ok: false, reason: "" };
try {
	const database = new DatabaseSync(":memory:", { allowExtension: true });
	database.loadExtension(path);
	load.ok = true;
	smoke.attempted = true;
	database.exec("CREATE VIRTUAL TABLE trial USING vec0(embedding float[3])");
	const insert = database.prepare("INSERT INTO trial(rowid, embedding) VALUES (?, ?)");
	insert.run(1n, new Uint8Array(Float32Array.of(1, 0, 0).buffer));
	insert.run(2n, new Uint8Array(Float32Array.of(0, 1, 0).buffer));
	const nearest = database
		.prepare("SELECT rowid FROM trial WHERE embedding MATCH ? ORDER BY distance LIMIT 1")
		.get(new Uint8Array(Float32Array.of(0.1, 0.9, 0).buffer));
	if (nearest?.rowid === 2) smoke.ok = true;
	else smoke.reason = `the nearest of two vectors came out as ${String(nearest?.rowid)}`;
} catch (error) {
	(load.ok ? smoke : load).reason = error instanceof Error ? error.message : String(error);
}
sendToParent({ load, smoke });
