import { createPolicyGate } from "../auth/policy.ts";
import { writeToolSignature } from "../code/declare/toolDeclarations.ts";
import { type Config, explainNoSandbox, listNeededForCode } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import type { CodeEngine } from "../contract/codeEngine.ts";
import { createQuarantine, readQuarantine } from "../quarantine/quarantine.ts";
import { refuseTooDeep } from "../upstream/childEnvironment.ts";
import { createStoredLogin, openAuthorized } from "../upstream/login/upstreamProvider.ts";
import { Gateway } from "./gateway.ts";
import type { GatewayOptions } from "./gatewayParts.ts";

/** A gateway as configured, with the product's own sandbox for execute_code. */
export function createGateway(config: Config, options: Omit<GatewayOptions, "config"> = {}): Gateway {
	refuseTooDeep(process.env, config.file);
	const { settings } = config;
	const codeEngine = settings.code && explainNoSandbox(settings) === undefined ? sandbox(settings) : undefined;
	const code = codeEngine !== undefined && { codeEngine, declare: writeToolSignature };
	const quarantine = readQuarantine(config.sections.quarantine, process.env);
	const policy = createPolicyGate(() => gateway.sections.policy);
	const gateway: Gateway = new Gateway({
		...code,
		openTransport: openAuthorized(process.env),
		storedLogin: createStoredLogin(process.env),
		...options,
		quarantine: createQuarantine(quarantine, {
			...(options.log !== undefined && { onProblem: options.log }),
			command: (...words) => gateway.command(...words),
			versionsOf: (tool) => gateway.catalog.versionsOf(tool),
		}),
		gates: [policy, ...(options.gates ?? [])],
		config,
	});
	return gateway;
}

// Loaded by the first snippet, so that a gateway that runs no code does not pay for it at start.
function sandbox(settings: Settings): CodeEngine {
	const needs = listNeededForCode(settings);
	let loaded: Promise<CodeEngine> | undefined;
	const load = async (): Promise<CodeEngine> => {
		try {
			const { createRuntimeEngine } = await import("../code/runtimeEngine.ts");
			return createRuntimeEngine(settings);
		} catch (thrown) {
			// During an update its files may be missing for a moment, so the next snippet tries again.
			loaded = undefined;
			throw thrown;
		}
	};
	return {
		name: settings.runtimeProfile,
		languages: ["javascript", "typescript"],
		...(needs !== undefined && { needs }),
		async execute(request, tools) {
			loaded ??= load();
			return (await loaded).execute(request, tools);
		},
		close: async () => (await loaded?.catch(() => undefined))?.close?.(),
	};
}
