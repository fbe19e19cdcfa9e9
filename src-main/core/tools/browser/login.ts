import { z } from "zod";
import { KnackError } from "#contract/errors.ts";
import { targetSchema } from "#contract/skills/schema.ts";
import type { LoginOutcome, LoginPart } from "../../ports/browser.ts";
import { defineTool } from "../define-tool.ts";

const said: Readonly<Record<LoginPart, string>> = { username: "the user name", password: "the password", totp: "the one-time code" };

/** The text the model reads: what was done, never how long or what a value was. */
function report(entry: string, { filled, isSent, page, refused }: LoginOutcome): string {
  const parts = (["username", "password", "totp"] as const).filter((part) => filled.includes(part)).map((part) => said[part]);
  const done = `Filled in ${parts.join(" and ")} of the login "${entry}"`;
  const sent = isSent ? `${done} and sent it.` : `${done}. Nothing was found that sends it; press the button that does.`;
  return [sent, `Page: ${page.heading || page.title || page.url}.`, ...refused.slice(0, 1).map(({ message }) => message)].join(" ");
}

export const browserLogin = defineTool({
  id: "browser_login",
  primitive: "browser",
  description: "browser_login {entry}: sign in on this page with a login of the vault, by its name; Knack types its values itself",
  args: z.strictObject({
    entry: z.string().min(1).max(64),
    user: targetSchema.exactOptional(),
    password: targetSchema.exactOptional(),
    code: targetSchema.exactOptional(),
  }),
  async run({ entry, ...fields }, { browser, credentials, signal }) {
    if (credentials === undefined) throw new KnackError("vault.none", "There is no vault here, so nothing can be filled in from one.", { exit: 3 });
    const origins = credentials.bindings().get(entry) ?? [];
    try {
      const outcome = await (await browser()).login(
        {
          fields,
          has: credentials.fields(entry),
          origins,
          release: (origin, parts, use) => credentials.withCredential({ entry, origin, fields: parts }, use),
          holdsValue: credentials.holdsValue,
        },
        signal,
      );
      credentials.tried(entry, null);
      return {
        text: report(entry, outcome),
        page: outcome.page,
        downloads: outcome.downloads,
        details: { url: outcome.page.url, title: outcome.page.title, heading: outcome.page.heading, entry, filled: outcome.filled },
        value: outcome.isSent ? "sent" : "filled in",
      };
    } catch (error) {
      if (error instanceof KnackError) credentials.tried(entry, { code: error.code, origin: origins[0] ?? "" });
      throw error;
    }
  },
});
