import { KnackError } from "#contract/errors.ts";

/** Variables by which the browser's driver, or Node under it, writes down all it is told: with a login, the login. */
function tracing(env: NodeJS.ProcessEnv): string | null {
  const isOn = (name: string): boolean => (env[name] ?? "") !== "" && env[name] !== "0";
  if (/(?:^|[\s,])(?:\*|pw:)/u.test(env["DEBUG"] ?? "")) return "DEBUG";
  return ["PWDEBUG", "SSLKEYLOGFILE"].find(isOn) ?? (/\b(?:http|net|tls|stream)\b/u.test(env["NODE_DEBUG"] ?? "") ? "NODE_DEBUG" : null);
}

/** Throws "config.trace" where something would write down what is typed (security rule 3). */
export function refuseTraces(env: NodeJS.ProcessEnv = process.env): void {
  const name = tracing(env);
  if (name !== null)
    throw new KnackError("config.trace", `Not filled in: ${name} is set, by which everything that is typed would be written down. Start Knack without it.`, {
      exit: 3,
    });
}
