import { conformanceCase } from "./conformance/conformanceCase.ts";

conformanceCase("2025-11-25", 18, ["mcp-client-discovery", "mcp-client-pkce", "mcp-client-resource"]);
