// What a proxy costs that parses every message, gives it an id of its own and serialises it again, both ways.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const ids = new Map();
let next = 0;

createInterface({ input: process.stdin })
	.on("line", (line) => {
		const message = JSON.parse(line);
		if (message.id !== undefined && message.method !== undefined) {
			ids.set(++next, message.id);
			message.id = next;
		}
		child.stdin.write(`${JSON.stringify(message)}\n`);
	})
	.on("close", () => child.stdin.end());
createInterface({ input: child.stdout }).on("line", (line) => {
	const message = JSON.parse(line);
	if (message.id !== undefined && message.method === undefined) {
		const id = ids.get(message.id);
		ids.delete(message.id);
		message.id = id;
	}
	process.stdout.write(`${JSON.stringify(message)}\n`);
});
child.on("exit", (code) => process.exit(code ?? 1));
