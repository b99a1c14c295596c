export type { ClientDescription, Dispatcher, Era, ProgressUpdate, RpcContext } from "./server/dispatcher.ts";
export { RpcError } from "./server/dispatcher.ts";
