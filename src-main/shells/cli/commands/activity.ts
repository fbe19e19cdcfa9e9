import type { Command } from "commander";
import type { Contact } from "#contract/activity/schema.ts";
import { group, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import type { Session } from "../session.ts";
import { bytesText, timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

interface Filter {
  readonly host?: string;
  readonly conversation?: string;
  readonly refused?: boolean;
  readonly limit?: number;
  readonly before?: number;
}

export function addActivity(program: Command, session: Session): void {
  const activity = group(program, "activity", "which addresses anything talked to, when, and why it was allowed");

  leaf<Filter>(activity, session, "list", "the newest contacts, newest first", ({ screen, options: { host, conversation, refused, limit, before } }) =>
    withAgent((agent) => {
      const page = agent.activity({
        limit: limit ?? 50,
        ...(host === undefined ? {} : { host }),
        ...(conversation === undefined ? {} : { conversationId: conversation }),
        ...(refused === undefined ? {} : { refused }),
        ...(before === undefined ? {} : { before }),
      });
      if (screen.json) return screen.show(page, () => []);
      if (page.contacts.length === 0) return screen.say("Nothing was talked to that fits.");
      screen.table(
        [{ head: "ID" }, { head: "WHEN" }, { head: "BY" }, { head: "RECEIVED", right: true }, { head: "WHAT" }, { head: "ADDRESS" }],
        page.contacts.map((contact) => [
          contact.id,
          timeText(contact.at),
          byText(contact),
          bytesText(contact.received),
          whatText(contact),
          addressText(contact),
        ]),
      );
      if (page.next !== null) screen.note(`There are earlier ones: --before ${page.next}`);
    }),
  )
    .option("--host <text>", "only hosts with this text in them")
    .option("--conversation <id>", "only of this conversation")
    .option("--refused", "only what was refused")
    .option("--limit <n>", "how many (default: 50)", wholeNumber(1, 200))
    .option("--before <n>", "those before this place, as the list before told it", wholeNumber(1, Number.MAX_SAFE_INTEGER));

  leaf(activity, session, "show <id>", "one contact with all that is known of it", ({ screen, args: [id = ""] }) =>
    withAgent((agent) => {
      const contact = agent.contact(id);
      screen.show(contact, () => lines(contact));
    }),
  );
}

function lines(contact: Contact): string[] {
  return [
    addressText(contact),
    `${whatText(contact)}, by ${byText(contact)}, ${timeText(contact.at)}${contact.endedAt === null ? "" : ` to ${timeText(contact.endedAt)}`}`,
    ...(contact.grant === null ? [] : [`granted: ${contact.grant}${contact.grantId === null ? " (no longer)" : ` (${contact.grantId})`}`]),
    ...(contact.resolved.length > 0 ? [`the name led to: ${contact.resolved.join(", ")}`] : []),
    ...(contact.address === "" ? [] : [`dialled: ${contact.address}`]),
    ...(contact.allowed ? [`sent ${bytesText(contact.sent)}, received ${bytesText(contact.received)}`] : []),
    ...(contact.times > 1 ? [`${contact.times} times in a row`] : []),
    ...(contact.conversationId === null ? [] : [`conversation ${contact.conversationId}${contact.turnId === null ? "" : `, turn ${contact.turnId}`}`]),
  ];
}

function addressText({ scheme, host, port }: Contact): string {
  if (host === "") return "(no readable address)";
  return scheme === "" ? host : `${scheme}://${host}:${port}`;
}

function whatText({ allowed, code, times }: Contact): string {
  const word = allowed ? (code === "ok" ? "allowed" : "not reached") : `refused: ${code}`;
  return times > 1 ? `${word} ×${times}` : word;
}

function byText({ means }: Contact): string {
  return { browser: "browser", showing: "showing", web_fetch: "web_fetch", models: "Knack, for a model" }[means];
}
