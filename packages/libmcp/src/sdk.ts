export { type SdkStdioOptions, serveSdkStdio } from "./sdk/serveSdkStdio.ts";
