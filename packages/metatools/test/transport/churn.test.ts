import { churnCase } from "./churnCase.ts";

churnCase(10_000, 60);
