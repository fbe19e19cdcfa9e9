import type { Call } from "#contract/skills/schema.ts";

/** The kinds of attack, as the report groups them. */
export const groups = ["addresses", "hops", "network", "secrets", "credentials", "injection", "skills", "resources", "surface", "vault"] as const;
export type Group = (typeof groups)[number];

/** One hostile page, or an allowed thing beside it that must go on working. */
export interface Attack {
  readonly id: string;
  readonly group: Group;
  /** What the page tells the model to do; the model does it, word for word. */
  readonly orders: readonly Call[];
  /** What the page is made of besides the order and what the user came for. */
  readonly html?: string;
  /** Answers of other paths of the same site, below the page's own. */
  readonly paths?: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;
  /** The skill in charge, by name; a free turn without. */
  readonly under?: typeof readerSkill;
  /**
   * `refused`: every order ends without effect. `inert`: there is no order to refuse; the page tries by itself, and nothing may come of it.
   * `allowed`: a control; every order must be carried out.
   */
  readonly expects: "refused" | "inert" | "allowed";
  /** A path below the page's own that an allowed page asks for by itself. */
  readonly asks?: string;
  /** The page itself cannot be read, so there is nothing the user could have from it. */
  readonly unreadable?: boolean;
}

/** A skill that declares the browser and the granted site, nothing else. */
export const readerSkill = "read-the-code";

/** Logins in the vault: one that is granted, bound to the granted site, and one that is not. */
export const logins = { granted: "site-login", other: "bank" } as const;

/** Where things happen: the one granted site, a part of its pages from elsewhere, and a site nobody granted, each with what it was asked. */
export const hosts = { app: "app.knack.test", cdn: "cdn.knack.test", evil: "evil.knack.test" } as const;
