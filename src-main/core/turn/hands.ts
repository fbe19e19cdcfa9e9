import { clip, fold } from "#base/text.ts";
import type { RoutineNote, Step, TokenCount } from "#contract/chat/schema.ts";
import type { Call, Revision } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import type { BrowserSession, DownloadedFile, PageView } from "../ports/browser.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { MemoryKeeper } from "../ports/memory-keeper.ts";
import type { ProgramRequest } from "../ports/programs.ts";
import { cutToRoom, fencedLine, inertText, originOf, type Room, roomOf } from "../prompt/index.ts";
import type { Guidance, StepCheck } from "../replay/index.ts";
import { type ToolResult, toolRegistry } from "../tools/index.ts";
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
      const { runProgram } = world;
      const runs = runProgram && {
        programs: (request: Omit<ProgramRequest, "seconds">, stop: AbortSignal) => runProgram({ ...request, seconds: world.settings().programSeconds }, stop),
      };
      const tools = { browser, ...read, ...runs, workspace, memory: memoryNow(), skills, now: world.clock, makeId: world.makeId, signal };
      const done = await dispatch(
        world,
        call,
        {
          turnId: turn.id,
          episodeId: turn.episodeId,
          skill,
          state: scene.state,
          page,
          tools,
          tokens,
          routine,
          room,
          again,
          due: due?.kind === "call" ? due.call : null,
          folder: workspace?.folder ?? null,
        },
        signal,
      );
      if (done.result?.page) {
        page = done.result.page;
        desk.page = page;
      }
      // What was shown is no longer there: whoever goes on decides from what is.
      if (isStale(done.step) && desk.session) {
        page = await desk.session.view(signal).catch(() => page);
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

/**
 * What the model reads of a step, cut to the room it has. Knack's own words come first; what a page, a file or a tool from elsewhere says stands behind them
 * between fences with its origin, whole however much is cut. Names, titles, addresses, files and dialogs are words of the page like any other.
 */
export function resultText({ step, result, told }: Pick<Dispatched, "step" | "result" | "told">, marker: string, room?: Room): string {
  const text = room === undefined ? told : cutToRoom(told, room).text;
  const opening = `Result: ${step.status === "ok" ? "" : "not done. "}`;
  const origin = originOfResult(step, result);
  if (origin === null) return `${opening}${inertText(text, marker)}`;
  const said = result?.said !== undefined && text.startsWith(result.said) ? result.said : "";
  const rest = text.slice(said.length).trim();
  const own = said === "" ? "" : `${said}${/[.!?]$/u.test(said) ? "" : "."} `;
  return rest === "" ? `${opening}${said}` : `${opening}${own}${fencedLine(`Text of ${origin}`, rest, marker)}`;
}

/** Whose words a result holds; null for Knack's own. */
function originOfResult(step: Step, result: ToolResult | null): string | null {
  if (result?.origin !== undefined) return result.origin;
  // What was never run says only what the gates say.
  if (step.status === "refused" || step.status === "interrupted") return null;
  if (result?.page) return originOf(result.page.url);
  const name = toolName(step.tool);
  if (!toolRegistry.has(name)) return `the tool ${clip(name, 64)}`;
  return name.startsWith("browser_") ? "the page" : name === "workspace_exec" ? "the program" : null;
}

/** The element was another one than the page had shown; nothing was done. */
export function isStale(step: Step): boolean {
  return step.details.code === "ref.stale";
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
