import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { badInput } from "#contract/errors.ts";
import { renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

it("an address that was refused can be corrected and sent again", async () => {
  const add = ({ what }: { what: string }) => {
    if (what === "banana") throw badInput("banana is no address");
    return sample.grants[0];
  };
  const { client, calls } = scriptedClient({ grants: { add } });
  renderPage(scriptedLink(client), "#/permissions");
  const field = (await screen.findByLabelText("Allow a site or folder")) as HTMLInputElement;
  for (const what of ["banana", "https://shop.example"]) {
    await act(async () => {
      fireEvent.change(field, { target: { value: what } });
    });
    await act(async () => {
      fireEvent.click(screen.getByRole("button", { name: "Allow" }));
    });
    if (what === "banana") expect(await screen.findByText("banana is no address")).toBeTruthy();
  }
  expect(calls.filter(({ path }) => path === "grants.add").map(({ input }) => input)).toEqual([{ what: "banana" }, { what: "https://shop.example" }]);
  expect(screen.queryByText("banana is no address")).toBeNull();
});

it("programs that run without a question are listed by what exactly was allowed, and can be taken back", async () => {
  const family = { program: "wc", deed: null, options: ["-w"] };
  const program = { id: "g9", kind: "program" as const, family, folder: "/home/mira/notes", createdAt: 0, by: "user" };
  const { client, calls } = scriptedClient({ grants: { list: () => [program], revoke: () => undefined } });
  renderPage(scriptedLink(client), "#/permissions");
  const words = "wc -w (with any other words and paths inside /home/mira/notes, and no other options)";
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Programs that run without a question" })).toBeTruthy();
  await act(async () => {
    fireEvent.click(screen.getByRole("button", { name: `Revoke ${words}` }));
  });
  await act(async () => {
    fireEvent.click(screen.getByRole("button", { name: "Revoke" }));
  });
  expect(calls.find(({ path }) => path === "grants.revoke")?.input).toEqual({ id: "g9" });
});
