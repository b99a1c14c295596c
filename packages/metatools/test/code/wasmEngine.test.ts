import { wasmEngine } from "../../src/code/wasm/wasmEngine.ts";
import { behavesAsCodeEngine } from "./engineBehaviour.ts";

behavesAsCodeEngine("wasm", async () => wasmEngine());
