import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Block, StandingContext } from "#contract/blocks/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

const section = async () => within(await screen.findByRole("region", { name: "Standing context" }));
const field = async (): Promise<HTMLTextAreaElement> => (await (await section()).findByRole("textbox", { name: "Who Knack is to you" })) as HTMLTextAreaElement;
const type = async (text: string): Promise<void> => void fireEvent.change(await field(), { target: { value: text } });
const button = async (name: string): Promise<HTMLButtonElement> => (await (await section()).findByRole("button", { name })) as HTMLButtonElement;
const withIdentity = (part: Partial<Block>): StandingContext => ({
  ...sample.standingContext,
  blocks: sample.standingContext.blocks.map((block) => (block.name === "IDENTITY" ? { ...block, ...part } : block)),
});

/** A host that keeps what is set, as the real one does. */
function keeping() {
  let now = sample.standingContext;
  return {
    list: () => now,
    set: ({ text }: { text: string }) => (now = withIdentity({ written: text, text: `IDENTITY\n${text}`, isOwn: true })),
    reset: () => (now = sample.standingContext),
  };
}

describe("standing context in Settings", () => {
  it("has two texts to edit, and every block to read with tier, source, size, revision and what was left out", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/settings");
    expect((await field()).value).toBe("You are friendly.");
    const shown = await section();
    expect(shown.getByText("Ahead of every conversation, with the tools: 1.4 kB, 362 tokens.")).toBeTruthy();
    await press(shown.getByRole("button", { name: /^USER_PROFILE/u }));
    expect(shown.getByRole("button", { name: /^USER_PROFILE/u }).textContent).toBe("USER_PROFILE in the prompt");
    for (const text of ["profile: learned, as untrusted data", "facts in Memory", "60 B, 15 tokens", "mem:205:7", "5 facts: over 200, or over 500 characters"])
      expect(shown.getAllByText(text).length).toBeGreaterThan(0);
    await press(shown.getByRole("button", { name: "FOCUS left out" }));
    expect(shown.getByText("The store is locked.")).toBeTruthy();
  });

  it("says that tokens are counted once a model is loaded", async () => {
    const context = { ...withIdentity({ tokens: null }), prefix: { bytes: 1450, tokens: null } };
    renderPage(scriptedLink(scriptedClient({ blocks: { list: () => context } }).client), "#/settings");
    expect(await (await section()).findByText(/1.4 kB, tokens are counted once a model is loaded\./u)).toBeTruthy();
  });

  it("a text is saved, taken back, and brought back to what Knack comes with", async () => {
    const { client, calls } = scriptedClient({ blocks: keeping() });
    renderPage(scriptedLink(client), "#/settings");
    expect((await button("Save: Who Knack is to you")).disabled).toBe(true);
    await type("You are Otto.");
    await press(await button("Save: Who Knack is to you"));
    await press(await button("Undo: Who Knack is to you"));
    await waitFor(async () => expect((await field()).value).toBe("You are friendly."));
    await type("You are Ada.");
    await press(await button("Save: Who Knack is to you"));
    await press(await button("As Knack comes with it: Who Knack is to you"));
    await press(await button("Undo: Who Knack is to you"));
    await waitFor(async () => expect((await field()).value).toBe("You are Ada."));
    expect(calls.filter(({ path }) => /^blocks\.(?:set|reset)$/u.test(path)).map(({ path, input }) => [path, input])).toEqual([
      ["blocks.set", { name: "IDENTITY", text: "You are Otto." }],
      ["blocks.reset", { name: "IDENTITY" }],
      ["blocks.set", { name: "IDENTITY", text: "You are Ada." }],
      ["blocks.reset", { name: "IDENTITY" }],
      ["blocks.set", { name: "IDENTITY", text: "You are Ada." }],
    ]);
  });

  it("a text that is too long or cannot be saved stays where it was typed, with the reason", async () => {
    const set = () => {
      throw new KnackError("block.unwritable", "IDENTITY.md was not changed (the disk is full).");
    };
    renderPage(scriptedLink(scriptedClient({ blocks: { set } }).client), "#/settings");
    await type("x".repeat(2001));
    const shown = await section();
    expect(await shown.findByText("2001 characters; at most 2000 stand in the prompt. Shorten it.")).toBeTruthy();
    expect((await button("Save: Who Knack is to you")).disabled).toBe(true);
    await type("You are Otto.");
    await press(await button("Save: Who Knack is to you"));
    expect(await shown.findByText("IDENTITY.md was not changed (the disk is full).")).toBeTruthy();
    expect((await field()).value).toBe("You are Otto.");
    expect(shown.queryByRole("button", { name: "Undo: Who Knack is to you" })).toBe(null);
  });

  it("a file that cannot be read is said to stop every answer, with the way on", async () => {
    const failed = withIdentity({ state: "failed", problem: "IDENTITY.md is not text (UTF-8); save it as plain text.", written: null, isOwn: true, text: "" });
    renderPage(scriptedLink(scriptedClient({ blocks: { list: () => failed } }).client), "#/settings");
    const alert = await (await section()).findByRole("alert");
    expect(alert.textContent).toContain("no message is answered until it can");
    expect(alert.textContent).toContain("save it as plain text");
    expect((await button("As Knack comes with it: Who Knack is to you")).disabled).toBe(false);
  });

  it("what a person would rather not say is not asked for, and may be asked for again", async () => {
    const { client, calls } = scriptedClient({
      blocks: { decline: () => ({ ...sample.standingContext, profile: { ...sample.standingContext.profile, role: "declined" } }) },
    });
    renderPage(scriptedLink(client), "#/settings");
    const shown = await section();
    expect(await shown.findByText("Your name: known; it stands in Memory")).toBeTruthy();
    await press(shown.getByRole("button", { name: "What you do: do not ask" }));
    expect(await shown.findByText("What you do: you would rather not say")).toBeTruthy();
    await press(shown.getByRole("button", { name: "Where you live: ask me again" }));
    expect(calls.filter(({ path }) => /decline|askAgain/u.test(path)).map(({ path, input }) => [path, input])).toEqual([
      ["blocks.decline", { field: "role" }],
      ["blocks.askAgain", { field: "location" }],
    ]);
  });
});
