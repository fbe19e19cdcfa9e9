import { badInput } from "#contract/errors.ts";

/** The port of `--port`; 0, any free one, when it was not given. */
export function askedPort(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (!/^\d{1,5}$/u.test(given) || port > 65535) throw badInput(`--port "${given}" is no port: expected a number from 0 to 65535.`, { option: "port" });
  return port;
}
