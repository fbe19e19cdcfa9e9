import { describe, expect, it } from "vitest";
import { makeShowings, type Showings } from "#app/showings.ts";
import { setStatus } from "#app/skills.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { BrowserLauncher, RecordingSession } from "#core/ports/index.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { page } from "../../fixtures/makers/page.ts";
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
      tell = (action) => {
        options.onKept?.(seen);
        options.onAction?.(action);
      };
      const session: RecordingSession = {
        actions: () => seen,
        ended: new Promise(() => undefined),
        stop: async () => seen,
        perform: async () => undefined,
        view: async () => page("Welcome", []),
      };
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

  it("SHO-07: a showing and its skill are one: a process that ends, or a second yes, in between makes no second skill of it", async () => {
    const { on, showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.finish(id);
    const seen: unknown[] = [];
    const embedder = async () => {
      const made = on.stores.skills.byName("download-bill");
      if (made) seen.push([on.stores.learning.showing(id)?.status, on.stores.learning.showing(id)?.skillId === made.id]);
      return on.embedder;
    };
    const other = makeShowings({ ...on.skillWorld, embedder, launcher: {} as BrowserLauncher, downloadFolder: "", destinations: () => [], headed: false });
    const [first, second] = await Promise.allSettled([other.confirm(id, "Kim"), showings.confirm(id, "Kim")]);
    expect([seen[0], [first.status, second.status].sort(), on.stores.skills.list({ all: true }).map(({ name }) => name)]).toEqual([
      ["confirmed", true],
      ["fulfilled", "rejected"],
      ["download-bill"],
    ]);
  });

  it("SHO-07: where the skill cannot be made findable, the draft is there still", async () => {
    const { on, showings, act } = shop();
    const { id } = await showings.start(goal, portal);
    act(await task());
    await showings.finish(id);
    const failing = async (): Promise<typeof on.embedder> => {
      if (on.stores.skills.byName("download-bill")) throw new Error("the embedder fell over");
      return on.embedder;
    };
    const other = makeShowings({
      ...on.skillWorld,
      embedder: failing,
      launcher: {} as BrowserLauncher,
      downloadFolder: "",
      destinations: () => [],
      headed: false,
    });
    await expect(other.confirm(id, "Kim")).rejects.toThrow("fell over");
    expect([on.stores.learning.showing(id)?.status, on.stores.skills.list({ all: true })]).toEqual(["draft", []]);
    expect((await showings.confirm(id, "Kim")).skill.name).toBe("download-bill");
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

describe("showing again what a skill does", () => {
  const bill: readonly (readonly string[])[] = [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ];
  /** A skill that was shown once and is off. */
  async function off(): Promise<Shop & { show(script: readonly (readonly string[])[], site?: MadeSite): Promise<string> }> {
    const made = shop();
    const show = async (script: readonly (readonly string[])[], site = billsSite()): Promise<string> => {
      const { id } = await made.showings.start(goal, portal);
      made.act(await showOn(site, script as Parameters<typeof showOn>[1]));
      return id;
    };
    await made.showings.confirm(await show(bill), "Kim");
    setStatus(made.on.skillWorld, "download-bill", "disabled", "human:Kim", "the site was built anew");
    return { ...made, show };
  }

  it("it becomes the next revision by its person, in use at once, with the ways to ask it had", async () => {
    const { on, showings, show } = await off();
    const id = await show(bill, billsSite({ billsHeading: "Your bills and letters" }));
    const { skill, revision, ledger } = await showings.confirm(id, "Ana", undefined, "Download_Bill");
    expect([skill.name, skill.status, revision.number, revision.author, revision.phrasings, on.stores.skills.list().length]).toEqual([
      "download-bill",
      "active",
      2,
      "human:Ana",
      [goal],
      1,
    ]);
    expect(ledger.slice(-2).map(({ action, actor }) => [action, actor])).toEqual([
      ["modify", "human:Ana"],
      ["enable", "human:Ana"],
    ]);
    expect(on.stores.learning.showing(id)?.status).toBe("confirmed");
  });

  it("TRU-10: what an earlier revision says already is refused as unchanged, and the showing stays a draft", async () => {
    const { on, showings, show } = await off();
    await showings.confirm(await show(bill, billsSite({ billsHeading: "Your bills and letters" })), "Kim", undefined, "download-bill");
    const id = await show(bill);
    await expect(showings.confirm(id, "Kim", undefined, "download-bill")).rejects.toMatchObject({
      code: "skill.unchanged",
      exit: 3,
      message: expect.stringContaining('the same as revision 1 of "download-bill"') as string,
    });
    expect([on.stores.skills.byName("download-bill")?.activeRevision, on.stores.learning.showing(id)?.status]).toEqual([2, "draft"]);
    expect((await showings.confirm(id, "Kim", "another-way")).skill.name).toBe("another-way");
  });

  it("a skill of a pack is not changed by it, one that is not there is said, and a name goes with a new skill only", async () => {
    const { on, showings, show } = await off();
    await on.addSkill("of-pack", procedure("Show my bills"), { author: "authored:bank" });
    const id = await show(bill);
    await expect(showings.confirm(id, "Kim", undefined, "of-pack")).rejects.toMatchObject({ code: "skill.authored", exit: 3 });
    await expect(showings.confirm(id, "Kim", undefined, "nothing")).rejects.toThrow('There is no skill "nothing"');
    await expect(showings.confirm(id, "Kim", "new-name", "download-bill")).rejects.toThrow("not both");
    expect(on.stores.learning.showing(id)?.status).toBe("draft");
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
