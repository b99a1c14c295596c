import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Optional features that this installation has. */
export type Capabilities = {
	readonly docs: { readonly pdfjsDist: boolean; readonly mammoth: boolean };
	readonly vector: { readonly sqliteVec: boolean; readonly hnsw: boolean };
	readonly mcp: { readonly sdk: boolean; readonly legacy: boolean };
};

export function measureCapabilities(): Capabilities {
	return {
		docs: installedReaders(),
		vector: { sqliteVec: isInstalled("sqlite-vec"), hnsw: isInstalled("hnswlib-node") },
		mcp: { sdk: isInstalled("libmcp"), legacy: isInstalled("libmcp") },
	};
}

/** The packages that read documents. */
export function installedReaders(): Capabilities["docs"] {
	return { pdfjsDist: isInstalled("pdfjs-dist"), mammoth: isInstalled("mammoth") };
}

/**
 * Looks in the folders Node would search; `require.resolve` costs a fifth of Node's startup time, during the handshake.
 */
function isInstalled(name: string): boolean {
	for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
		if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
		if (folder === dirname(folder)) return false;
	}
}
