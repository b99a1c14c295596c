import { conformanceCase } from "./conformance/conformanceCase.ts";

conformanceCase("2026-07-28", 32, ["mcp-client-issuer", "mcp-http-tool-headers"]);
