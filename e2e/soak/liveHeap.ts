/** Opens the debugger of a process by SIGUSR1; what it then prints is its address. */
export async function debuggerOf(pid: number, printed: () => string): Promise<string> {
	process.kill(pid, "SIGUSR1");
	for (let tries = 0; tries < 400; tries++) {
		const address = /Debugger listening on (ws:\S+)/.exec(printed())?.[1];
		if (address !== undefined) return address;
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
	throw new Error("the process opened no debugger");
}

/** Megabytes that are in use once everything that is not has been collected: what grows here is a leak, and no slack. */
export async function liveMegabytes(address: string): Promise<number> {
	const socket = new WebSocket(address);
	await new Promise((resolve, reject) => {
		socket.onopen = resolve;
		socket.onerror = reject;
	});
	let id = 0;
	const ask = (method: string) =>
		new Promise<{ usedSize: number; backingStorageSize?: number }>((resolve) => {
			const own = ++id;
			socket.addEventListener("message", ({ data }) => {
				const answer = JSON.parse(String(data));
				if (answer.id === own) resolve(answer.result);
			});
			socket.send(JSON.stringify({ id: own, method }));
		});
	try {
		await ask("HeapProfiler.enable");
		// What finalizers let go of is found by the second.
		await ask("HeapProfiler.collectGarbage");
		await ask("HeapProfiler.collectGarbage");
		const { usedSize, backingStorageSize = 0 } = await ask("Runtime.getHeapUsage");
		return (usedSize + backingStorageSize) / 2 ** 20;
	} finally {
		socket.close();
	}
}
