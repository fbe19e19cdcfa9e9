export { type FileLog, type OpenLogOptions, openLogSink } from "./open-log.ts";
