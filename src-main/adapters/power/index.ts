export { type BatteryFacts, machinePower, powerOf } from "./machine-power.ts";
