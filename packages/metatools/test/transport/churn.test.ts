import { churnCase } from "./churnCase.ts";

churnCase(20_000);
