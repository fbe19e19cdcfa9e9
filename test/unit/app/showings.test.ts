import { describe, expect, it } from "vitest";
import { makeShowings, type Showings } from "#app/showings.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { BrowserLauncher, RecordingSession } from "#core/ports/index.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { showOn } from "../../fixtures/makers/show-on.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const portal = "https://portal.example/";
const goal = `Download the December 2026 bill from ${portal}`;
const { signal } = new AbortController();

interface Shop {
  readonly on: Stage;
  readonly showings: Showings;
  /** Records these as if a person had done them. */
  act(actions: readonly ShownAction[]): void;
}

function shop(): Shop {
  const on = stage(billsSite());
  let seen: ShownAction[] = [];
  let tell: (action: ShownAction) => void = () => undefined;
  const launcher: Pick<BrowserLauncher, "record"> = {
    async record(options) {
      seen = [];
      tell = options.onAction ?? (() => undefined);
      const session: RecordingSession = { actions: () => seen, ended: Promise.resolve(), stop: async () => seen, perform: async () => undefined };
      return session;
    },
  };
  const showings = makeShowings({
    ...on.skillWorld,
    launcher: launcher as BrowserLauncher,
    downloadFolder: "/downloads",
    destinations: () => [],
    headed: false,
  });
  return {
    on,
    showings,
    act(actions) {
      for (const action of actions) {
        seen.push(action);
        tell(action);
      }
    },
  };
}
const task = (): Promise<ShownAction[]> =>
  showOn(billsSite(), [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);

describe("teaching by showing", () => {
  it("what was shown becomes a draft, and once confirmed a provisional skill by its person", async () => {
    const { on, showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    expect((await showings.finish(id)).content.steps).toHaveLength(3);
    const made = await showings.confirm(id, "Kim");
    expect([made.skill.name, made.skill.status, made.revision.author, on.stores.learning.showing(id)?.status]).toEqual([
      "download-bill",
      "provisional",
      "human:Kim",
      "confirmed",
    ]);
  });

  it("nothing is a skill before it is confirmed", async () => {
    const { on, showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.finish(id);
    expect(on.stores.skills.list({ all: true })).toEqual([]);
  });

  it("SHO-07: every action is kept as it comes, so a showing that breaks off can be taken up", async () => {
    const { on, showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act((await task()).slice(0, 2));
    expect(on.stores.learning.showing(id)).toMatchObject({ status: "recording", actions: [{ kind: "open" }, { kind: "click" }] });
    const other = makeShowings({ ...on.skillWorld, launcher: {} as BrowserLauncher, downloadFolder: "", destinations: () => [], headed: false });
    expect((await other.finish(id)).content.steps).toHaveLength(2);
  });

  it("a draft taken up again is confirmed under the name that is wished for", async () => {
    const { showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.finish(id);
    expect((await showings.confirm(id, "Kim", "fetch-bill")).skill.name).toBe("fetch-bill");
  });

  it("SHO-07: what is dropped leaves nothing of what was shown", async () => {
    const { on, showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.drop(id);
    expect(on.stores.learning.showing(id)).toMatchObject({ status: "dropped", actions: [] });
    await expect(showings.finish(id)).rejects.toMatchObject({ code: "showing.over" });
  });

  it("only one window records at a time", async () => {
    const { showings } = shop();
    await showings.start(goal, portal);
    await expect(showings.start(goal, portal)).rejects.toMatchObject({ code: "showing.open" });
  });

  it("nothing but an opened page teaches nothing", async () => {
    const { showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act((await task()).slice(0, 1));
    await expect(showings.finish(id)).rejects.toMatchObject({ code: "showing.empty" });
  });

  it("a goal is needed, and what is not there is said", async () => {
    const { showings } = shop();
    await expect(showings.start("  ", portal)).rejects.toThrow("Say what you are about to show");
    await expect(showings.finish("nothing")).rejects.toThrow("There is no showing nothing");
    await expect(async () => showings.perform("nothing", [], signal)).rejects.toMatchObject({ code: "showing.closed" });
  });

  it("a showing is confirmed once", async () => {
    const { showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.confirm(id, "Kim");
    await expect(showings.confirm(id, "Kim")).rejects.toMatchObject({ code: "showing.over" });
  });
});

describe("faults found in showings", () => {
  it("what was dropped cannot be confirmed", async () => {
    const { showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.drop(id);
    await expect(showings.confirm(id, "Kim")).rejects.toMatchObject({ code: "showing.over" });
  });
});
