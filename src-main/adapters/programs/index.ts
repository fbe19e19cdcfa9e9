export { makeProgramRunner } from "./run-program.ts";
