import { describe, expect, test } from "vitest";
import type { HostedAgent } from "#app/create-agent.ts";
import type { Episode, Send, Step, Turn, TurnEvent } from "#contract/chat/schema.ts";
import { runAsked } from "#shells/cli/commands/ask.ts";
import type { Screen } from "#shells/cli/screen.ts";
import { tableLines } from "#shells/cli/table.ts";
import { stepLine } from "#shells/cli/turn-lines.ts";
import { bytesText, durationText } from "#shells/cli/units.ts";

const tokens = { evaluated: 1200, reused: 300, generated: 40 };
const turn: Turn = {
  id: "t",
  conversationId: "c",
  episodeId: "e",
  status: "done",
  skillId: null,
  revision: null,
  mode: null,
  recall: null,
  startedAt: 0,
  endedAt: 1,
  tokens,
};
const episode: Episode = {
  id: "e",
  conversationId: "c",
  goal: "g",
  outcome: "claimed_success",
  reason: "the model said so",
  open: true,
  createdAt: 0,
  closedAt: null,
};
const reply = { id: "m", conversationId: "c", turnId: "t", role: "assistant", text: "Here it is.", status: "complete", createdAt: 0 } as const;

function step(change: Partial<Step>): Step {
  return {
    id: "s",
    turnId: "t",
    episodeId: "e",
    index: 0,
    tool: "browser_click",
    args: { target: { role: "link", name: "Billing" } },
    status: "ok",
    text: "",
    details: {},
    startedAt: 0,
    durationMs: 420,
    tokens,
    ...change,
  };
}

/** A screen that keeps what was written, and an agent whose turn is given. */
async function ask(events: readonly TurnEvent[], options: { confirm?: "yes" | "no"; handOver?: boolean } = {}, goneOn: readonly TurnEvent[] = []) {
  const shown: string[] = [];
  const sent: unknown[] = [];
  const judged: boolean[] = [];
  const asked: Send[] = [];
  const screen: Screen = {
    json: false,
    show: () => undefined,
    event: (event) => void sent.push(event),
    say: (line) => void shown.push(`out ${line}`),
    table: () => undefined,
    write: (text) => void shown.push(`out ${text}`),
    note: (line) => void shown.push(`err ${line.replace(/\d+\.\d s, (?=.* tokens)/u, "")}`),
    warn: (line) => void shown.push(`err ${line}`),
    status: () => undefined,
  };
  const agent: Partial<HostedAgent> = {
    async *send(input) {
      asked.push(input);
      yield* input.resume ? goneOn : events;
    },
    judge(_id, worked) {
      judged.push(worked);
      return { ...episode, outcome: worked ? "success" : "failure", reason: "judged" };
    },
  };
  const stopped = new AbortController();
  const session = { signal: stopped.signal, stop: () => stopped.abort(), exit: 0 };
  const code = await runAsked(agent as HostedAgent, { text: "g", workspace: "/work/space" }, { screen, options, session, signal: session.signal });
  return { code, shown, sent, judged, asked, summary: sent.at(-1) as Record<string, unknown> };
}

function finished(change: { turn?: Partial<Turn>; episode?: Partial<Episode>; problem?: string; mayResume?: boolean } = {}): TurnEvent {
  return {
    type: "turn-finished",
    turn: { ...turn, ...change.turn },
    episode: { ...episode, ...change.episode },
    message: reply,
    problem: change.problem ?? null,
    mayResume: change.mayResume ?? false,
  };
}

describe("a run without the model that halts", () => {
  const halted = finished({ turn: { status: "failed" }, episode: { outcome: "failure", reason: "Step 2: expected heading 'Bills'" }, mayResume: true });
  const done = finished({ episode: { outcome: "success", reason: "the last check held" } });

  test("is gone on with by the model where that was asked for, in the same conversation", async () => {
    const { code, asked } = await ask([halted], { handOver: true }, [done]);
    expect([code, asked[1]]).toEqual([0, { text: "Go on with the model", conversationId: "c", resume: true }]);
  });

  test("stays halted where nobody asked for it, and nobody is there to", async () => {
    const { code, asked } = await ask([halted], {}, [done]);
    expect([code, asked.length]).toEqual([1, 1]);
  });
});

describe("a turn on the command line", () => {
  test("is told step by step, with reply, files and cost", async () => {
    const { code, shown, summary, sent } = await ask([
      { type: "skill-taken", turnId: "t", skillId: "k", name: "download-invoice", revision: 2, mode: "advisory", inputs: { month: "2026-04" } },
      { type: "step-finished", step: step({ details: { heading: "Statements" } }) },
      {
        type: "step-finished",
        step: step({ index: 1, args: { target: { role: "link", name: "Download", within: "April" } }, details: { downloads: ["april.pdf"] } }),
      },
      { type: "text-delta", turnId: "t", text: "Here it is." },
      { type: "step-finished", step: step({ index: 2, tool: "reply", args: { text: "Here it is." } }) },
      finished(),
    ]);
    expect(code).toBe(0);
    expect(shown).toEqual([
      "err skill   download-invoice, revision 2, advisory: month = 2026-04",
      'err ✓  1  click link "Billing" → Statements  0.4 s',
      'err ✓  2  click link "Download" (April) → saved april.pdf  0.4 s',
      "out Here it is.",
      "err · done, it says (the model said so)  2 steps, 1,200 tokens read, 300 reused, 40 written",
      "out saved /work/space/april.pdf",
      "err   go on with --conversation c",
    ]);
    expect(sent).toHaveLength(7);
    expect(summary).toMatchObject({
      type: "summary",
      conversationId: "c",
      turnId: "t",
      episodeId: "e",
      outcome: "claimed_success",
      reply: "Here it is.",
      steps: 2,
      downloads: ["/work/space/april.pdf"],
      tokens,
      recall: null,
    });
  });

  test("exits 1 when it failed, and 3 when it was refused", async () => {
    const failed = { turn: { status: "failed" }, episode: { outcome: "failure", reason: "step limit" } } as const;
    expect((await ask([{ type: "step-finished", step: step({ status: "error", details: { code: "browser.timeout" } }) }, finished(failed)])).code).toBe(1);
    expect((await ask([{ type: "step-finished", step: step({ status: "refused" }) }, finished(failed)])).code).toBe(3);
    expect((await ask([{ type: "step-finished", step: step({ status: "error", details: { code: "hop.host" } }) }, finished(failed)])).code).toBe(3);
    expect((await ask([finished({ ...failed, episode: { outcome: "failure", reason: "not granted: https://a.example" } })])).code).toBe(3);
    const problem = await ask([finished({ ...failed, problem: "No model." })]);
    expect(problem).toMatchObject({ code: 1, shown: ["err knack: No model."] });
  });

  test("--confirm judges the episode, and the exit code follows; a stopped turn is not judged", async () => {
    expect(await ask([finished()], { confirm: "yes" })).toMatchObject({ code: 0, judged: [true], summary: { outcome: "success" } });
    expect(await ask([finished()], { confirm: "no" })).toMatchObject({ code: 1, judged: [false], summary: { outcome: "failure" } });
    expect((await ask([finished({ turn: { status: "stopped" } })], { confirm: "yes" })).judged).toEqual([]);
  });

  test("a suggestion says how it is taken", async () => {
    const recall = { verdict: "suggested", skillName: "download-invoice", why: "close" } as unknown as NonNullable<Turn["recall"]>;
    const { shown } = await ask([finished({ turn: { recall } })]);
    expect(shown).toContain('err The skill "download-invoice" may fit. Say it again with --take-suggestion to use it.');
  });
});

test("a page's own line breaks cannot make a step look like two", () => {
  expect(stepLine(step({ details: { heading: "Bill\n✓ 99 click" } }))).toBe('✓  1  click link "Billing" → Bill ✓ 99 click  0.4 s');
});

test("columns are aligned, numbers at the right, and lines cut to the width", () => {
  expect(
    tableLines(
      [{ head: "NAME" }, { head: "N", right: true }, { head: "WHAT" }],
      [
        ["a", "10", "short"],
        ["longer", "5", "a long text"],
      ],
      20,
    ),
  ).toEqual(["NAME     N  WHAT", "a       10  short", "longer   5  a long …"]);
});

test("sizes and times carry their units", () => {
  expect([bytesText(999), bytesText(1_117_320_768), bytesText(46_220_288)]).toEqual(["999 bytes", "1.1 GB", "46.2 MB"]);
  expect([durationText(420), durationText(125_000)]).toEqual(["0.4 s", "2 min 05 s"]);
});
