import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { renderPage } from "./render-page.tsx";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

describe("writing a message", () => {
  it("has the model brought into memory with the first letter, once for a conversation", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/chat/c1");
    const box = await screen.findByRole("textbox", { name: "Message" });
    for (const value of ["D", "Do", "Dow"]) fireEvent.change(box, { target: { value } });
    await waitFor(() => expect(calls.filter(({ path }) => path === "models.warm").map(({ input }) => input)).toEqual([{ conversationId: "c1" }]));
  });

  it("goes on where that cannot be done", async () => {
    const { client } = scriptedClient({
      models: {
        warm: () => {
          throw new KnackError("model.missing", "The chat model is not on this machine.");
        },
      },
    });
    renderPage(scriptedLink(client), "#/chat");
    const box = (await screen.findByRole("textbox", { name: "Message" })) as HTMLTextAreaElement;
    fireEvent.change(box, { target: { value: "Download my bill" } });
    await waitFor(() => expect(box.value).toBe("Download my bill"));
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("what the models take", () => {
  it("stands in the Models view: memory, the disk for what was read, and when the model leaves", async () => {
    const { client } = scriptedClient();
    renderPage(scriptedLink(client), "#/models");
    expect(await screen.findByText("2.3 GB in all: 1.1 GB the model, 552 MB its context")).toBeTruthy();
    expect(screen.getByText("3 states, 131 MB of at most 2.0 GB")).toBeTruthy();
    expect(screen.getByText(/, unless it is used$/u)).toBeTruthy();
  });

  it("is bounded in Settings", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/settings");
    fireEvent.change(await screen.findByRole("combobox", { name: "Keep the model in memory" }), { target: { value: "" } });
    fireEvent.change(screen.getByRole("combobox", { name: "Disk for conversations as the model read them" }), { target: { value: "500" } });
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === "settings.change").map(({ input }) => input)).toEqual([{ idleUnloadMinutes: null }, { stateMegabytes: 500 }]),
    );
  });
});
