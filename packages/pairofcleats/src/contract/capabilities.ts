import { findPackageJSON } from "node:module";

/** What this installation can do, looked up here and now. */
export type Capabilities = {
	readonly docs: { readonly pdfjsDist: boolean; readonly mammoth: boolean };
	readonly vector: { readonly sqliteVec: boolean; readonly hnsw: boolean };
	readonly mcp: { readonly sdk: boolean; readonly legacy: boolean };
};

export function measureCapabilities(): Capabilities {
	return {
		docs: { pdfjsDist: isInstalled("pdfjs-dist"), mammoth: isInstalled("mammoth") },
		vector: { sqliteVec: isInstalled("sqlite-vec"), hnsw: isInstalled("hnswlib-node") },
		mcp: { sdk: isInstalled("libmcp"), legacy: isInstalled("libmcp") },
	};
}

function isInstalled(name: string): boolean {
	try {
		return findPackageJSON(name, import.meta.url) !== undefined;
	} catch {
		return false;
	}
}
