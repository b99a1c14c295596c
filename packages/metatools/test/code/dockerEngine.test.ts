import assert from "node:assert/strict";
import { test } from "node:test";
import { createDockerEngine, type DockerEngineOptions, probeDocker } from "../../src/code/child/dockerEngine.ts";
import type { CodeEngine } from "../../src/code/engine.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { Catalogue, execute } from "./catalogue.ts";
import { behavesAsCodeEngine } from "./engineBehaviour.ts";
import { fakeDocker } from "./fakeDocker.ts";

const IMAGE = "sandbox:1";

behavesAsCodeEngine("a Docker client", async () => {
	const docker = await fakeDocker({ engine: true, images: [IMAGE] });
	const engine = createDockerEngine({ image: IMAGE, command: docker.command });
	const close = async (): Promise<void> => {
		await engine.close?.();
		await docker.remove();
	};
	return { ...engine, close };
});

void test("a container gets no network, a read-only root, no capabilities and bounded means", async (t) => {
	const { engine, calls } = await recorded(t, {});
	assert.equal((await execute(engine, "1 + 1")).value, 2);
	const [run, removal] = await calls();
	assert.ok(run !== undefined);
	const name = run[4] ?? "";
	assert.match(name, /^metatools-[0-9a-f-]{36}$/);
	assert.deepEqual(run.slice(0, run.indexOf("-e")), [
		...["run", "--rm", "--interactive", "--name", name, "--pull=never"],
		...["--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"],
		...["--user=65534:65534", "--workdir=/", "--ipc=none", "--log-driver=none"],
		...["--pids-limit=64", "--memory=160m", "--memory-swap=160m", "--cpus=1", "--ulimit=core=0"],
		...["--entrypoint=node", IMAGE, "--max-old-space-size=64"],
	]);
	assert.equal(run.length, run.indexOf("-e") + 2, "the program is the last argument");
	assert.deepEqual(removal, ["rm", "--force", name]);
});

void test("neither the code nor anything mounted or exported is in the client's arguments", async (t) => {
	const { engine, calls } = await recorded(t, {});
	await execute(engine, "'a text that must travel by the pipe'");
	const run = (await calls())[0] ?? [];
	assert.ok(!run.some((argument) => argument.includes("a text that must travel by the pipe")));
	assert.ok(!run.some((argument) => /^(-v|--volume|--mount|--env|-e=|--privileged|--device)/.test(argument)));
});

void test("a cancelled run's container is removed by name", async (t) => {
	const { engine, calls } = await recorded(t, {});
	const tools = new Catalogue();
	const controller = new AbortController();
	const running = execute(engine, "await tools.ping(); for (;;);", { tools, signal: controller.signal });
	await Promise.race([running, tools.called()]);
	controller.abort();
	assert.equal((await running).error?.code, "cancelled");
	const [run, removal] = await calls();
	assert.deepEqual(removal, ["rm", "--force", run?.[4]]);
});

void test("what a container prints past the protocol is output, never a message that is believed", async (t) => {
	const { engine } = await recorded(t, {});
	const tools = new Catalogue();
	const code = `const { writeSync } = process.getBuiltinModule("node:fs");
		writeSync(1, "plain text\\n");
		writeSync(1, '{"kind":"call","text":"{}"}\\n');
		await new Promise((resolve) => setTimeout(resolve, 60000))`;
	const { error, stdout } = await execute(engine, code, { tools });
	assert.deepEqual([error?.code, error?.details?.reason, stdout], ["execution_failed", "value", "plain text\n"]);
	assert.deepEqual(tools.calls, []);
});

void test("what the client says of a container that is removed is no output of the code", async (t) => {
	const { engine } = await recorded(t, {});
	for (const ending of ["5", "throw new TypeError('no')"]) {
		const stays = "setTimeout(() => {}, 60_000);";
		const { stdout, stderr } = await execute(engine, `${stays} console.log("before"); ${ending}`);
		assert.deepEqual([stdout, stderr], ["before\n", ""], ending);
	}
});

void test("a client that cannot be started is an error of the sandbox, not of the code", async () => {
	const engine = createDockerEngine({ image: IMAGE, command: "/nonexistent/docker" });
	const { error } = await execute(engine, "1");
	await engine.close?.();
	assert.deepEqual([error?.code, error?.details?.reason], ["internal", "crashed"]);
});

void test("the probe asks and never pulls or starts anything", async (t) => {
	const docker = await fakeDocker({ engine: true, images: [IMAGE] });
	t.after(() => docker.remove());
	assert.deepEqual(await probeDocker(IMAGE, docker.command), { ok: true });
	assert.deepEqual(await probeDocker("other:2", docker.command), {
		ok: false,
		why: "the image other:2 is not on this machine, and images are never pulled unasked",
	});
	assert.deepEqual([...new Set((await docker.calls()).map(([verb]) => verb))], ["version", "image"]);
});

void test("a real engine runs code in a real container", async (t) => {
	const image = SETTINGS.dockerImage.default;
	const state = await probeDocker(image);
	if (!state.ok) {
		t.skip(`not run here: ${state.why}`);
		return;
	}
	const engine = createDockerEngine({ image });
	t.after(() => engine.close?.());
	const code = `const { networkInterfaces } = process.getBuiltinModule("node:os");
		const { writeFileSync } = process.getBuiltinModule("node:fs");
		let write = "allowed";
		try { writeFileSync("/probe", "x") } catch (e) { write = e.code }
		return [process.getuid(), Object.keys(networkInterfaces()), write, (await tools.math.add({ a: 1, b: 2 })).sum]`;
	const { value, error } = await execute(engine, code, { timeoutMs: 60_000 });
	assert.equal(error, undefined);
	assert.deepEqual(value, [65534, ["lo"], "EROFS", 3]);
});

async function recorded(
	t: { after(clean: () => Promise<void>): void },
	options: Partial<DockerEngineOptions>,
): Promise<{ engine: CodeEngine; calls: () => Promise<string[][]> }> {
	const docker = await fakeDocker({ engine: true, images: [IMAGE] });
	const engine = createDockerEngine({ image: IMAGE, command: docker.command, ...options });
	t.after(async () => {
		await engine.close?.();
		await docker.remove();
	});
	return { engine, calls: docker.calls };
}
