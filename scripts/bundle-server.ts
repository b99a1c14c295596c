// Bundles the start of `pairofcleats mcp` and `pairofcleats search`: a hundred small modules take longer to find than to
// run. `main.cjs` is what runs before a server is started, `host.cjs` the host, `serve.cjs` the server with the SDK,
// `search.cjs` the search from the command line and `build.cjs` the process that builds or updates an index, started by
// `buildProcess.cjs`. Everything else is imported from dist.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Plugin } from "esbuild";
import {
	cachedBundle,
	commonJs,
	licencesOf,
	oneSpawner,
	resolveCached,
	spawnerOf,
	startOf,
	startOfProcess,
	whereItWas,
} from "./bundling.ts";
import { lazySchemas } from "./lazySchemas.ts";
import { ROOT } from "./run.ts";

const dist = join(ROOT, "packages/pairofcleats/dist");
const libmcp = join(ROOT, "packages/libmcp/dist");
const outdir = join(dist, "fast");

// Opening the compile cache takes longer than compiling what a host needs before its server is started.
const START = startOf(`
	if (args[0] !== "mcp" || args.includes("--direct")) enableCompileCache();
	if (args[0] === "mcp") return main(args);
	if (args[0] === "search") return require("./search.cjs").main(args);
	return import("../cli/main.js").then((whole) => whole.main(args));
`);

/** Modules imported on demand: "" bundles one in, a path loads it from another bundle. */
type OnDemand = Readonly<Record<string, string>>;
const FOR_SERVER: OnDemand = {
	"cli/commands/mcpCommand.js": "",
	"server/hostMcp.js": "",
	"server/serveMcp.js": "./serve.cjs",
	"libmcp/host": "./host.cjs",
};
const FOR_SEARCH: OnDemand = {
	"cli/commands/searchCommand.js": "",
	"vectors/readModel.js": "",
	"discover/discoverFiles.js": "",
	"discover/lastingMarks.js": "",
	// A search that finds an edited file indexes it first.
	"index/indexer.js": "",
	"parse/parseComponent.js": "",
	"parse/parseFormat.js": "",
	"parse/parseGrammar.js": "",
	// A search without an index builds it.
	"repo/buildChild.js": "",
};
const FOR_BUILD: OnDemand = {
	"vectors/readModel.js": "",
	"discover/discoverFiles.js": "",
	"parse/parseComponent.js": "",
	"parse/parseFormat.js": "",
	"parse/parseGrammar.js": "",
};

/** All other on-demand imports of this package stay imports from dist. */
const onDemand = (known: OnDemand): Plugin => ({
	name: "on-demand",
	setup(bundle) {
		bundle.onResolve({ filter: /./ }, ({ kind, importer, path, namespace }) => {
			if (namespace === "beside") return resolveCached(path);
			if (kind !== "dynamic-import") return undefined;
			const own = path.startsWith(".")
				? relative(dist, resolve(dirname(importer), path))
						.split(sep)
						.join("/")
				: path;
			const beside = known[own];
			if (beside === "" || (beside === undefined && !importer.startsWith(dist + sep))) return undefined;
			if (beside !== undefined) return { path: beside, namespace: "beside" };
			return { path: own === path ? path : `../${own}`, external: true };
		});
		bundle.onLoad({ filter: /./, namespace: "beside" }, ({ path }) => ({
			contents: cachedBundle(path),
			resolveDir: dist,
		}));
	},
});

/** The SDK's validator of client answers is half of its code, so it is loaded when first needed. */
const SHIMS = `
	import { createRequire } from "node:module";
	export { default as process } from "node:process";
	export class DefaultJsonSchemaValidator {
		getValidator(schema) {
			// The SDK is a dependency of libmcp's.
			const libmcp = createRequire(__filename).resolve("libmcp/package.json");
			const { AjvJsonSchemaValidator } = createRequire(libmcp)("@modelcontextprotocol/server/validators/ajv");
			return new AjvJsonSchemaValidator().getValidator(schema);
		}
	}
`;
const validatorLater: Plugin = {
	name: "validator-later",
	setup(bundle) {
		bundle.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
			path,
			namespace: "shims",
		}));
		bundle.onLoad({ filter: /./, namespace: "shims" }, () => ({ contents: SHIMS, resolveDir: libmcp }));
	},
};

/** Lines of the SDK that put all its schemas into a table, which nothing here reads and which would create them all. */
const SCHEMA_TABLE = [
	"for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);",
	"for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);",
];
const withoutSchemaTable: Plugin = {
	name: "without-schema-table",
	setup(bundle) {
		bundle.onLoad({ filter: /@modelcontextprotocol\/server\/dist\/src-[^/]*\.mjs$/ }, ({ path }) => {
			const source = readFileSync(path, "utf8");
			const missing = SCHEMA_TABLE.find((line) => !source.includes(line));
			if (missing !== undefined) throw new Error(`${path}: expected the line ${missing}`);
			return { contents: SCHEMA_TABLE.reduce((text, line) => text.replace(line, ""), source) };
		});
	},
};

const early: Plugin = {
	name: "early",
	setup(bundle) {
		bundle.onResolve({ filter: /^libmcp\/early$/ }, () => ({ path: "./early.cjs", external: true }));
	},
};

const inputs = [
	await commonJs({
		stdin: { contents: START, resolveDir: join(dist, "cli"), sourcefile: "start.js" },
		outfile: join(outdir, "main.cjs"),
		external: ["./search.cjs"],
		plugins: [early, onDemand(FOR_SERVER)],
	}),
	await commonJs({
		stdin: { contents: spawnerOf(libmcp), resolveDir: dist, sourcefile: "early.js" },
		outfile: join(outdir, "early.cjs"),
	}),
	await commonJs({
		entryPoints: [join(libmcp, "host.js")],
		outfile: join(outdir, "host.cjs"),
		plugins: [oneSpawner("./early.cjs")],
	}),
	await commonJs({
		entryPoints: [join(dist, "server/serveMcp.js")],
		outfile: join(outdir, "serve.cjs"),
		plugins: [validatorLater, withoutSchemaTable, onDemand(FOR_SERVER)],
	}),
	await commonJs({
		entryPoints: [join(dist, "cli/main.js")],
		outfile: join(outdir, "search.cjs"),
		// It looks for its WebAssembly file beside itself.
		external: ["web-tree-sitter"],
		plugins: [early, whereItWas(dist), onDemand(FOR_SEARCH)],
	}),
	await commonJs({
		stdin: {
			contents: startOfProcess("./build.cjs", "../repo/buildProcess.js"),
			resolveDir: outdir,
			sourcefile: "start.js",
		},
		outfile: join(outdir, "buildProcess.cjs"),
		external: ["./build.cjs", "../repo/buildProcess.js"],
	}),
	await commonJs({
		entryPoints: [join(dist, "repo/buildProcess.js")],
		outfile: join(outdir, "build.cjs"),
		external: ["web-tree-sitter"],
		plugins: [whereItWas(dist), onDemand(FOR_BUILD)],
	}),
	// A separate program, looked up beside the module that starts it.
	await commonJs({ entryPoints: [join(libmcp, "process/guardianMain.js")], outfile: join(outdir, "guardianMain.cjs") }),
];
const serve = readFileSync(join(outdir, "serve.cjs"), "utf8");
if (/\b(?:specTypeSchemas|isSpecType)\b(?!=)/.test(serve))
	throw new Error("expected no reader of the SDK's table of schemas, found one");
writeFileSync(join(outdir, "serve.cjs"), lazySchemas(serve));
writeFileSync(join(outdir, "LICENSES.txt"), licencesOf(new Set(inputs.flat())));
