/** A JSON-RPC id as its JSON text, so that `1`, `"1"`, `1.0` and integers beyond 2^53 stay what they were. */
export type RequestId = string & { readonly __brand: "RequestId" };
