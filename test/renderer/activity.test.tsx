import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ContactQuery } from "#contract/activity/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

const rows = () => within(screen.getByRole("list", { name: "Contacts" })).getAllByRole("listitem");

it("each address stands with who talked to it and why it was allowed or refused", async () => {
  renderPage(scriptedLink(scriptedClient().client), "#/activity");
  await screen.findByRole("list", { name: "Contacts" });
  const texts = rows().map((row) => row.textContent ?? "");
  expect(texts[0]).toMatch(/allowed.*https:\/\/portal\.example.*Browser.*you granted https:\/\/portal\.example/u);
  expect(texts[1]).toMatch(/refused.*https:\/\/tracker\.example.*14 times.*not granted/u);
  expect(texts[2]).toMatch(/not reached.*http:\/\/nas\.home:8080.*could not be reached/u);
  expect(texts[3]).toMatch(/huggingface\.co.*Knack, for a model.*asked for by you/u);
  expect(texts[4]).toMatch(/An address that could not be read/u);
  expect(
    within(rows()[0] as HTMLElement)
      .getByRole("link", { name: "the conversation" })
      .getAttribute("href"),
  ).toBe("#/chat/c1");
});

it("the filters are asked of the host, and a filter that nothing fits says so", async () => {
  const list = ({ host, refused }: ContactQuery) => ({
    contacts: sample.contacts.filter((one) => one.host.includes(host ?? "") && (refused !== true || !one.allowed)),
    next: null,
  });
  const { client, calls } = scriptedClient({ activity: { list } });
  renderPage(scriptedLink(client), "#/activity");
  await screen.findByRole("list", { name: "Contacts" });
  await press(screen.getByRole("switch", { name: "Refused only" }));
  expect(rows()).toHaveLength(2);
  await act(async () => {
    fireEvent.change(screen.getByRole("searchbox", { name: "Only hosts with" }), { target: { value: "portal" } });
  });
  expect(await screen.findByText("Nothing fits")).toBeTruthy();
  await act(async () => {
    fireEvent.change(screen.getByRole("combobox", { name: "Conversation" }), { target: { value: "c1" } });
  });
  expect(calls.filter(({ path }) => path === "activity.list").at(-1)?.input).toEqual({ limit: 50, host: "portal", conversationId: "c1", refused: true });
});

it("earlier ones come below, page by page, and a page that cannot be read is told of", async () => {
  let isBroken = true;
  const list = ({ before }: ContactQuery) => {
    if (before === undefined) return { contacts: [sample.contact("k9", "new.example")], next: 9 };
    if (isBroken) throw new KnackError("database-locked", "The database is locked.");
    return { contacts: [sample.contact(`k${before - 1}`, "old.example")], next: null };
  };
  renderPage(scriptedLink(scriptedClient({ activity: { list } }).client), "#/activity");
  const earlier = await screen.findByRole("button", { name: "Show earlier ones" });
  await press(earlier);
  expect(screen.getByText("The database is locked.")).toBeTruthy();
  isBroken = false;
  await press(earlier);
  expect(rows().map((row) => /\w+\.example/u.exec(row.textContent ?? "")?.[0])).toEqual(["new.example", "old.example"]);
  expect(screen.queryByRole("button", { name: "Show earlier ones" })).toBeNull();
});

it("an empty log says what will stand there, and one that cannot be read can be tried again", async () => {
  renderPage(scriptedLink(scriptedClient({ activity: { list: () => ({ contacts: [], next: null }) } }).client), "#/activity");
  expect(await screen.findByText("Nothing was talked to yet")).toBeTruthy();
  document.body.innerHTML = "";
  const list = () => {
    throw new KnackError("database-locked", "The database is locked.");
  };
  renderPage(scriptedLink(scriptedClient({ activity: { list } }).client), "#/activity");
  expect(await screen.findByText("Activity could not be read")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

it("URL-12: a granted name with foreign letters stands by its plain name, with a warning", async () => {
  const grants = [{ ...sample.grants[0], destination: { scheme: "https", host: "xn--pp-6kc.test", port: 443, use: "navigate", allowPrivate: false } }];
  renderPage(scriptedLink(scriptedClient({ grants: { list: () => grants } }).client), "#/permissions");
  expect(await screen.findByText("https://xn--pp-6kc.test")).toBeTruthy();
  expect(screen.getByText(/mixes Latin and Cyrillic letters/u)).toBeTruthy();
  expect(document.body.textContent).not.toContain("\u0430pp.test");
});
