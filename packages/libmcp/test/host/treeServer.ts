// A server with a family: a grandchild that ignores SIGTERM and one that left the process group. It prints their pids.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const STUBBORN = 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); setInterval(() => {}, 1000)';
const same = spawn(process.execPath, ["-e", STUBBORN], { stdio: "ignore" });
const apart = spawn(process.execPath, ["-e", STUBBORN], { stdio: "ignore", detached: true });
process.on("SIGTERM", () => {});
writeFileSync(process.env.FAMILY ?? "", JSON.stringify([process.pid, same.pid, apart.pid]));
createInterface({ input: process.stdin }).on("line", (line) => {
	const { id, params } = JSON.parse(line) as { id?: unknown; params?: { arguments?: { ms?: number } } };
	const answer = () => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { late: true } })}\n`);
	if (id !== undefined) setTimeout(answer, params?.arguments?.ms ?? 0);
});
setInterval(() => {}, 1_000);
