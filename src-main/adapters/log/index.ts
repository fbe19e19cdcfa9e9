export { type FileLog, type OpenLogOptions, openLog } from "./open-log.ts";
