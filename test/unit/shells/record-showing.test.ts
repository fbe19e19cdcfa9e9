import { describe, expect, it } from "vitest";
import type { HostedAgent } from "#app/create-agent.ts";
import { makeShowings, type Showings } from "#app/showings.ts";
import { KnackError } from "#contract/errors.ts";
import type { BrowserLauncher } from "#core/ports/index.ts";
import { recordShowing } from "#shells/cli/record-showing.ts";
import { openScreen } from "#shells/cli/screen.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { scriptedRecorder } from "../../fixtures/makers/scripted-recorder.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const portal = "https://portal.example/";

/** The command over a window in which a line that cannot be performed is said as the browser says it. */
function desk(): { on: Stage; showings: Showings; perform: (script: string[][], signal?: AbortSignal) => Promise<unknown> } {
  const on = stage(billsSite());
  const recorder = scriptedRecorder(billsSite);
  const showings = makeShowings({
    ...on.skillWorld,
    launcher: recorder.launcher as BrowserLauncher,
    downloadFolder: "/downloads",
    destinations: () => [],
    headed: false,
  });
  const said: Showings = {
    ...showings,
    perform: (id, script, signal) =>
      showings.perform(id, script, signal).catch((error: unknown) => {
        throw new KnackError("browser.target-missing", `Line ${script.length}: ${error instanceof Error ? error.message : ""}`);
      }),
  };
  const agent = { showing: said, dropShowing: (id: string) => showings.drop(id) } as HostedAgent;
  return {
    on,
    showings,
    perform(script, signal = new AbortController().signal) {
      const session = { signal, stop: () => undefined, exit: 0 };
      const call = { args: [], options: {}, screen: { ...openScreen(true), event: () => undefined }, signal, session };
      return recordShowing(
        agent,
        call,
        script,
        (onAction) => showings.start(`Download the December 2026 bill from ${portal}`, portal, onAction),
        ({ id }) => showings.finish(id),
      );
    },
  };
}

describe("a showing that is performed from a script", () => {
  it("and fails half-way is kept as far as it went, and says how it is kept or forgotten", async () => {
    const { showings, perform } = desk();
    const failed = perform([
      ["click", "link", "Bills"],
      ["click", "link", "Nowhere"],
    ]);
    await expect(failed).rejects.toMatchObject({ code: "browser.target-missing" });
    const [left] = showings.list();
    expect(left).toMatchObject({ status: "broken", actions: [{ kind: "open" }, { kind: "click" }] });
    const message = await failed.catch((error: Error) => error.message);
    expect(message).toContain(`knack skills teach --confirm ${left?.id}, or to forget it: knack skills teach --drop ${left?.id}`);
    expect((await showings.confirm(left?.id ?? "", "Kim", "half-a-bill")).skill.name).toBe("half-a-bill");
  });

  it("and fails at once keeps nothing", async () => {
    const { showings, perform } = desk();
    await expect(perform([["click", "link", "Nowhere"]])).rejects.toThrow(/^Line 1: there is no link Nowhere/u);
    expect(showings.list().map(({ status }) => status)).toEqual(["dropped"]);
  });

  it("and is given up by its person is dropped", async () => {
    const { showings, perform } = desk();
    const control = new AbortController();
    control.abort(new DOMException("stopped", "AbortError"));
    await expect(
      perform(
        [
          ["click", "link", "Bills"],
          ["click", "link", "Nowhere"],
        ],
        control.signal,
      ),
    ).rejects.toThrow();
    expect(showings.list().map(({ status }) => status)).toEqual(["dropped"]);
  });
});
