import { fold } from "#base/text.ts";
import type { RoutineNote, Step, TokenCount } from "#contract/chat/schema.ts";
import type { Call, Revision } from "#contract/skills/schema.ts";
import type { BrowserSession, DownloadedFile, PageView } from "../ports/browser.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { MemoryKeeper } from "../ports/memory-keeper.ts";
import { cutToRoom, fencedText, inertText, type Room, roomOf } from "../prompt/index.ts";
import type { Guidance, StepCheck } from "../replay/index.ts";
import { afterOf, type Dispatched, dispatch } from "./dispatch.ts";
import { routineNote, withCheck } from "./routine-note.ts";
import type { Scene } from "./scene.ts";

/** What a turn acts with, and what that showed last. */
export interface Hands {
  readonly page: PageView | null;
  readonly downloads: readonly DownloadedFile[];
  readonly hasWorkspace: boolean;
  /** Calls of this turn so far, refused ones too. */
  readonly taken: number;
  /** The model that reads the results from now on: each is cut to its room in that one's context. */
  readBy(model: LanguageModel): void;
  /** Looks at the page again after a while; no step, and nothing is done. True when it, or what was downloaded, is not as it was. */
  again(ms: number): Promise<boolean>;
  /**
   * One call behind the gates. A refusal and a failure are results. `due` is what the routine in charge had next; `again` says that it only brings back
   * what was there, which is no step towards the goal.
   */
  act(call: Call, skill: Revision | null, tokens: TokenCount, due?: Guidance | null, again?: boolean): Promise<Dispatched>;
  /** Keeps with a step what its check found, and the page it was found on. */
  checked(step: Step, check: StepCheck | null): void;
}

/** The browser of the conversation's open episode goes on where it was; a new episode begins with a new one, when it first needs it. */
export async function makeHands(scene: Scene): Promise<Hands> {
  const { world, desk, turn, input, signal } = scene;
  const workspace = input.workspace === undefined ? null : await world.openWorkspace(input.workspace);
  let keeper: MemoryKeeper | null = null;
  /** Asked for each call: memory may be switched off while a step is being written. */
  const memoryNow = (): MemoryKeeper | null => {
    if (!world.settings().memory) return null;
    keeper ??= world.keepMemory(turn);
    return keeper;
  };
  const skills = world.settings().learning ? world.keepSkills(turn.episodeId) : null;
  const downloads: DownloadedFile[] = [];
  let taken = 0;
  let room = roomOf(null);
  let page: PageView | null = desk.episodeId === turn.episodeId ? desk.page : null;

  async function browser(): Promise<BrowserSession> {
    if (desk.session && desk.episodeId === turn.episodeId) return desk.session;
    await desk.session?.close();
    desk.session = null;
    desk.page = null;
    const session = await world.newBrowser(turn.conversationId, input.workspace ?? null, signal);
    desk.session = session;
    desk.episodeId = turn.episodeId;
    return session;
  }

  return {
    get page() {
      return page;
    },
    downloads,
    hasWorkspace: workspace !== null,
    get taken() {
      return taken;
    },
    readBy(model) {
      room = roomOf(model);
    },
    async again(ms) {
      const session = desk.session;
      if (!session || !page) return false;
      const outcome = await session.wait(ms, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        // A page that went away is told of by the next step.
        return null;
      });
      if (!outcome) return false;
      const isSame = outcome.page.url === page.url && outcome.page.text === page.text && outcome.downloads.length === 0;
      // What was decided from a page stands as long as the page does.
      if (isSame) return false;
      page = outcome.page;
      desk.page = page;
      downloads.push(...outcome.downloads);
      return true;
    },
    async act(call, skill, tokens, due = null, again = false) {
      taken += 1;
      const routine = skill === null ? null : routineNote(call, due, scene.charge?.origins ?? []);
      const { fetchPage } = world;
      const conversationId = turn.conversationId;
      const reads = fetchPage && ((url: string, stop: AbortSignal) => fetchPage({ conversationId, url, declared: skill?.capabilities ?? null }, stop));
      const read = { ...(reads ? { fetchPage: reads } : {}), ...(world.credentials ? { credentials: world.credentials } : {}) };
      const tools = { browser, ...read, workspace, memory: memoryNow(), skills, now: world.clock, makeId: world.makeId, signal };
      const done = await dispatch(
        world,
        call,
        { turnId: turn.id, episodeId: turn.episodeId, skill, state: scene.state, page, tools, tokens, routine, room, again },
        signal,
      );
      if (done.result?.page) {
        page = done.result.page;
        desk.page = page;
      }
      if (done.result?.downloads) downloads.push(...done.result.downloads);
      return done;
    },
    checked(step, check) {
      const note = step.details.routine as RoutineNote | undefined;
      if (check === null || note === undefined) return;
      // A page that was still on its way is kept as it was when its check was decided.
      const after = page !== null && step.details.after !== undefined ? { after: afterOf(page) } : {};
      world.stores.trace.updateStep({ ...step, details: { ...step.details, ...after, routine: withCheck(note, check) } });
    },
  };
}

/** What the model reads of a step, cut to the room it has; text of somebody else's stands whole between fences with its origin, however much is cut. */
export function resultText({ step, result, told }: Pick<Dispatched, "step" | "result" | "told">, marker: string, room?: Room): string {
  const text = room === undefined ? told : cutToRoom(told, room).text;
  const inert = result?.origin === undefined ? inertText(text, marker) : fencedText(`Text of ${result.origin}`, text, marker);
  return `Result: ${step.status === "ok" ? "" : "not done. "}${inert}`;
}

/** The same call was refused as often as it may be: the turn goes to the user. */
export function isRefusedTwice(step: Step): boolean {
  return step.details.rule === "refused-twice";
}

/** The browser or the gates would not let a request out: trying on is no use without a new grant. */
export function isDestinationRefusal(step: Step): boolean {
  const code = String(step.details.code ?? "");
  return (step.status === "error" || step.status === "refused") && /^(?:dest|hop|url|dns|form|nav|grant|policy|vault)\./u.test(code) && fold(step.text) !== "";
}
