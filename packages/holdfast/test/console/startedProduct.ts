import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "metatools";
import { listBuiltinServers } from "../../src/up/productConfig.ts";
import { type Product, startProduct } from "../../src/up/startProduct.ts";

const HOSTILE = fileURLToPath(new URL("./hostileServer.ts", import.meta.url));

export type StartedProduct = {
	readonly product: Product;
	readonly address: string;
	readonly folder: string;
	/** Once it exists, the hostile server describes its tools differently. */
	readonly changedFile: string;
	/** Stops it, awaits `whileAway`, and starts it again at the same address, with the same token or with none. */
	restart(lock?: "same token" | "no token", whileAway?: () => Promise<void>): Promise<void>;
	close(): Promise<void>;
};

export type StartOptions = {
	/** Adds code search over a small repository. */
	readonly withCode?: boolean;
	readonly token?: string;
	readonly host?: string;
	/** Further sections of the gateway's configuration. */
	readonly sections?: object;
};

/** The product with a hostile server behind it, in folders of its own. */
export async function startedProduct({
	withCode = false,
	token,
	host = "127.0.0.1",
	sections = {},
}: StartOptions = {}): Promise<StartedProduct> {
	const folder = mkdtempSync(join(tmpdir(), "holdfast-console-"));
	const repository = join(folder, "repository");
	mkdirSync(join(repository, "src"), { recursive: true });
	writeFileSync(join(repository, "src", "lantern.ts"), LANTERN);
	writeFileSync(join(repository, "src", "beacon.ts"), BEACON);
	writeFileSync(join(repository, "src", "<img src=x onerror=alert(1)>.ts"), "export const lanternPath = 1;\n");
	const changedFile = join(folder, "changed");
	const file = join(folder, "config.json");
	const config = (port: number) => {
		const loaded = loadConfig({
			flags: { runtimeBackend: "wasm", host, port: String(port) },
			configFile: file,
			environment: {},
		});
		const code = listBuiltinServers(repository)
			.filter(({ name }) => name === "pairofcleats")
			.map((spec) => ({ ...spec, env: { PAIROFCLEATS_CACHE_ROOT: join(folder, "cache") } }));
		return withCode ? { ...loaded, servers: [...code, ...loaded.servers] } : loaded;
	};
	const args = ["--disable-warning=ExperimentalWarning", HOSTILE, changedFile];
	writeFileSync(
		file,
		JSON.stringify({
			mcpServers: {
				hostile: { command: process.execPath, args },
				broken: { command: process.execPath, args: ["-e", "console.error('no such database'); process.exit(3)"] },
			},
			quarantine: { mode: "auto", file: join(folder, "approvals.json") },
			...sections,
		}),
	);
	const start = (port: number, asked: string | undefined) =>
		startProduct({ configure: () => config(port), log: () => {}, ...(asked !== undefined && { token: asked }) });
	let product = await start(0, token);
	const { address } = product;
	return {
		get product() {
			return product;
		},
		address,
		folder,
		changedFile,
		async restart(lock = "same token", whileAway) {
			await product.close();
			await whileAway?.();
			product = await start(Number(new URL(address).port), lock === "same token" ? token : undefined);
		},
		async close() {
			await product.close();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

const LANTERN = `/** Lights the lantern <script>window.pwned = 1</script> at dusk. */
export function lightLantern(wick: string): string {
	return \`\${wick} burns <img src=x onerror="window.pwned=1">\`;
}

export class Lantern {
	snuff(): void {}
}
`;

/** Long enough to be found in parts. */
const BEACON = `export function climbBeacon(): void {\n${Array.from({ length: 400 }, (_, step) => `\tstair(${step});\n`).join("")}}\n`;
