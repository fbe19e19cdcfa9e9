import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { approvalTimeoutMs, makeApprovals } from "#app/approvals.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { folderStage } from "../../fixtures/makers/folder-stage.ts";
import { says } from "../../fixtures/makers/stage.ts";

const never = new AbortController().signal;
type Asked = Extract<TurnEvent, { type: "approval-requested" }>;

/** A stage with a folder in which a write is asked about at the page, and how the page answers. */
function stage(answer: (asked: Asked, approvals: ReturnType<typeof makeApprovals>) => void) {
  const on = folderStage({ "notes.txt": "one\ntwo\n" }, { settings: { askBeforeWrite: true } });
  const approvals = makeApprovals(on.world);
  const asked: Asked[] = [];
  on.world.approve = (request, signal) =>
    approvals.ask(
      request,
      (event) => {
        if (event.type !== "approval-requested") return;
        asked.push(event);
        queueMicrotask(() => answer(event, approvals));
      },
      signal,
    );
  const write = (text: string, conversationId?: string) =>
    on.turn(`Write into notes.txt in the folder`, [writeStep("workspace_write", { path: "notes.txt", text }), says("Done.")], {
      workspace: on.folder,
      ...(conversationId === undefined ? {} : { conversationId }),
    });
  return { on, approvals, asked, write, text: () => readFileSync(join(on.folder, "notes.txt"), "utf8") };
}

describe("what a person is asked", () => {
  it("is the exact call, the file it acts on and how that would change, for so long", async () => {
    const { on, asked, write } = stage(({ approvalId }, approvals) => approvals.answer(approvalId, true, "once", "Kim"));
    await write("one and more");
    expect(asked[0]).toMatchObject({ tool: "workspace_write", args: { path: "notes.txt", text: "one and more" }, target: `notes.txt in ${on.folder}` });
    expect(asked[0]?.diff).toContain("-two\n+one and more");
    expect(asked[0]?.family).toBe(`write notes.txt in ${on.folder}`);
    expect((asked[0]?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(approvalTimeoutMs - 10_000);
  });

  it("once is asked about again the next time, and a no leaves the file as it is", async () => {
    const answers = [true, false];
    const { asked, write, text } = stage(({ approvalId }, approvals) => approvals.answer(approvalId, answers.shift() === true, "once", "Kim"));
    await write("first");
    await write("second");
    expect([asked.length, text()]).toEqual([2, "first"]);
  });

  it("for a conversation is not asked again there, and is everywhere else", async () => {
    const { asked, write, text, approvals } = stage(({ approvalId }, all) => all.answer(approvalId, true, "conversation", "Kim"));
    const { turn } = await write("first");
    await write("second", turn.conversationId);
    expect([asked.length, text(), approvals.standing()[0]?.conversationId]).toEqual([1, "second", turn.conversationId]);
    await write("third");
    expect(asked).toHaveLength(2);
  });

  it("always is not asked again until it is taken back, and says when it was used last", async () => {
    const { on, asked, write, approvals } = stage(({ approvalId }, all) => all.answer(approvalId, true, "always", "Kim"));
    await write("first");
    const [before] = approvals.standing();
    await write("second");
    const [standing] = approvals.standing();
    expect([asked.length, standing?.words, standing?.by]).toEqual([1, `write notes.txt in ${on.folder}`, "Kim"]);
    expect(standing?.lastUsedAt).toBeGreaterThan(before?.lastUsedAt ?? Number.POSITIVE_INFINITY);
    approvals.revoke(standing?.id ?? "");
    await write("third");
    expect(asked).toHaveLength(2);
    expect(() => approvals.revoke("nothing")).toThrow(/no standing approval nothing/u);
  });

  it("that is asked about each time cannot be allowed for longer, and stays open for a plain answer", async () => {
    const { on, approvals } = stage(() => undefined);
    const asked: Asked[] = [];
    const request = { turnId: "t", tool: "browser_click", args: {}, reason: "It pays." };
    const answer = approvals.ask(request, (event) => asked.push(event as Asked), never);
    const id = asked[0]?.approvalId ?? "";
    expect(() => approvals.answer(id, true, "always", "Kim")).toThrow(/asked about each time/u);
    expect(approvals.answer(id, true, "once", "Kim")).toBe(true);
    expect([await answer, on.stores.approvals.list()]).toEqual(["allow", []]);
  });

  it("that nobody answers is a no", async () => {
    vi.useFakeTimers();
    try {
      const { approvals } = stage(() => undefined);
      const answer = approvals.ask({ turnId: "t", tool: "browser_click", args: {}, reason: "r" }, () => undefined, never);
      await vi.advanceTimersByTimeAsync(approvalTimeoutMs + 1);
      expect(await answer).toBe("deny");
    } finally {
      vi.useRealTimers();
    }
  });
});
