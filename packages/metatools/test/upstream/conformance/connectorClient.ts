import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connect } from "../../../src/upstream/connect/connection.ts";
import { readFailure } from "../../../src/upstream/failure/failure.ts";
import { login } from "../../../src/upstream/login/login.ts";
import { TokenStore } from "../../../src/upstream/login/tokenStore.ts";
import { openAuthorized } from "../../../src/upstream/login/upstreamProvider.ts";
import type { HttpSpec } from "../../../src/upstream/spec.ts";
import { callsOf, METADATA_URL, type Scenario } from "./scenario.ts";

const MOST_LOGINS = 2;

/**
 * The gateway's own connector as the client under test of the official suite: connects, logs in when asked to, lists the
 * tools and calls each with what its schema asks for. `say` hears of the calls that failed.
 */
export async function playScenario(scenario: Scenario, say: (line: string) => void): Promise<void> {
	const environment = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "metatools-conformance-")) };
	const spec: HttpSpec = {
		kind: "http",
		name: "suite",
		namespace: "suite",
		protocol: scenario.isModern ? "modern" : "legacy",
		elicitation: true,
		url: scenario.url,
		headers: {},
		oauthClient: scenario.registered ?? { metadataUrl: METADATA_URL },
	};
	let connection: Connection | undefined;

	const connected = async (): Promise<Connection> => {
		connection ??= await connect(spec, {
			open: openAuthorized(environment),
			onToolsChanged: () => {},
			onStderr: () => {},
			timeoutMs: 120_000,
			signal: AbortSignal.timeout(60_000),
		});
		return connection;
	};

	/** What a person does whom the gateway tells that a server needs a login: agrees and tries again, but not for ever. */
	const withLogin = async <T>(attempt: () => Promise<T>): Promise<T> => {
		for (let logins = 0; ; logins++) {
			try {
				return await attempt();
			} catch (thrown) {
				if (logins >= MOST_LOGINS || readFailure(thrown).kind !== "unauthorized") throw thrown;
				await login(spec, new TokenStore(environment), (address) => void agree(address));
				await connection?.close();
				connection = undefined;
			}
		}
	};

	try {
		const { definitions } = await withLogin(async () => (await connected()).list());
		for (const call of callsOf(scenario, definitions)) {
			const definition = definitions.find(({ name }) => name === call.name) ?? { name: call.name };
			const options = {
				signal: AbortSignal.timeout(120_000),
				deadline: Date.now() + 110_000,
				ask: async () => ({ action: "accept", content: {} }),
			};
			await withLogin(async () => (await connected()).call(definition, call.arguments, options)).catch(
				(thrown: unknown) => say(`${call.name} ${String(thrown)}`),
			);
		}
	} finally {
		await connection?.close();
		rmSync(environment.XDG_STATE_HOME, { recursive: true, force: true });
	}
}

/** The person who agrees: the suite's authorization servers send whoever asks straight back. */
async function agree(address: string): Promise<void> {
	await (await fetch(address)).text();
}
