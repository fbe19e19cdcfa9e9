import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { monotonicFactory } from "ulid";
import { createBrowserLauncher, findBrowser } from "#adapters/browser/index.ts";
import { classifyAddress, createEgress, createPageReader, isPublicSuffix } from "#adapters/egress/index.ts";
import { openBlockFileSink, openSkillFileSink, openWorkspace, privateFolder } from "#adapters/files/index.ts";
import { openLogSink } from "#adapters/log/index.ts";
import { machinePower } from "#adapters/power/index.ts";
import { makeProgramRunner } from "#adapters/programs/index.ts";
import { openAge, openVaultStore, readTotp, sealAge, systemKeychain, totpCode, totpSeed } from "#adapters/secrets/index.ts";
import { backupDaily, eraseBackups, exclusiveLock, holdHostLock, openStoreSink } from "#adapters/sqlite/index.ts";
import { EventStream } from "#base/event-stream.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import type { BecameOf, Erasure } from "#contract/conversations/erasure.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Grant } from "#contract/grants/schema.ts";
import { type FetchEvent, smallerContextWords } from "#contract/models/schema.ts";
import { declaresOrigin, envelopeOf } from "#core/envelope/index.ts";
import { factKeys } from "#core/learning/index.ts";
import { asSink, type Credentials, type Embedder, type SkillFiles, type Stores } from "#core/ports/index.ts";
import { countAnswer, indexUnknown, keepAnswer, keepCounter, keepPhrasing, thresholdsFor } from "#core/recall/index.ts";
import { freezeState } from "#core/skills/index.ts";
import { withTools } from "#core/tools/index.ts";
import { compact, type Desk, finishRun, sharersOf, systemText, type TurnWorld, undoCompaction, warmPrompt, withdrawProposals } from "#core/turn/index.ts";
import { type Outward, outward, Redactor, through } from "#core/vault/index.ts";
import { catalogueEntry, fetchModel, listModels, verifyModel } from "#models/fetch.ts";
import { makeActivity } from "./activity.ts";
import type { Agent, Status } from "./agent.ts";
import { actOnAlert, resolveAlert } from "./alerts.ts";
import { makeApprovals } from "./approvals.ts";
import { backupsOf, placesIn } from "./backups.ts";
import { makeBlockDesk } from "./blocks.ts";
import { calibrateEmbedder, withShippedCalibration } from "./calibration.ts";
import type { AgentConfig } from "./config.ts";
import { conversationDetail } from "./conversation-detail.ts";
import { makeDesks } from "./desks.ts";
import { type LoadedContext, makeEngines } from "./engines.ts";
import { episodeOf, eraseConversation, eraseEpisode } from "./erase-conversation.ts";
import { eraseSkill } from "./erase-skill.ts";
import { endErasing } from "./erasing.ts";
import { exportConversation } from "./export-conversation.ts";
import { foldersOfConversations } from "./folders-of.ts";
import { makeForgettings } from "./forgettings.ts";
import { messagesForPrompt } from "./forgotten-spans.ts";
import { readGrant, sameGrant, seedGrants } from "./grants.ts";
import { importConversation } from "./import-conversation.ts";
import { keepAnswer as keepProfileAnswer } from "./keep-answer.ts";
import { learnFrom } from "./learn-from.ts";
import { liftOfSkills } from "./lift.ts";
import { makeMaintenance } from "./maintenance.ts";
import { maskMessage } from "./mask-message.ts";
import { makeMemory } from "./memory.ts";
import { makeNews } from "./news.ts";
import { ownPortsOf } from "./own-ports.ts";
import { makePacks } from "./packs.ts";
import { processFolder } from "./process-folder.ts";
import { promptNote } from "./prompt-note.ts";
import { acceptProposal, declineProposal, proposalsOf } from "./proposals.ts";
import { proposeFromRun } from "./propose-from-run.ts";
import { asItStands, readReports } from "./reports.ts";
import { pruneOld } from "./retention.ts";
import { changeSettings, readSettings } from "./settings-of.ts";
import { makeShowings, type Showings } from "./showings.ts";
import { exportSkill, importSkills, validateSkills } from "./skill-files.ts";
import { skillKeeper } from "./skill-keeper.ts";
import {
  detailOf,
  diffSkill,
  matchGoal,
  reindex,
  revertSkill,
  type SkillWorld,
  setMode,
  setPinned,
  setStatus,
  skillNamed,
  summariesOf,
  supersedeSkill,
  undoChange,
} from "./skills.ts";
import { makeStandingContext, thisMachine } from "./standing-context.ts";
import { hasItsTurns, renewDesk, storedDesk } from "./stored-desk.ts";
import { makeTurns } from "./turns.ts";
import { memoryIn, skillsIn, whyEpisodeUnlearned, whyUnlearned } from "./unlearned.ts";
import { notice } from "./upkeep.ts";
import { makeVault } from "./vault.ts";
import { makeWarming } from "./warming.ts";
import { whyTurn } from "./why.ts";

export const version = "0.1.0";

/** How long a change of the vault waits for that of another process. */
const vaultWaitMs = 2000;
const vaultBusy = () => new KnackError("vault.busy", "Another Knack changes the vault right now. Do it again in a moment.");

/** The agent with what only tests, demo and evaluation reach for. */
export interface HostedAgent extends Agent {
  readonly showing: Showings;
  readonly world: SkillWorld;
  /** Files of skills on this machine; a page hands over texts instead. */
  readonly skillFiles: SkillFiles;
  /** What logins get their values by. */
  readonly credentials: Credentials;
}

/** Puts Knack together: the only place where adapters are made. Rejects with the store's or a folder's own error, and leaves nothing open. */
export async function createAgent(config: AgentConfig): Promise<Outward<HostedAgent>> {
  const clock = config.clock ?? Date.now;
  const redactor = new Redactor(clock);
  const tools = withTools(config.tools ?? []);
  const state = config.state ?? (() => ({}));
  // In order also within a millisecond: what is made together is listed as it was made.
  const nextId = monotonicFactory();
  const makeId = () => nextId();
  const digest = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
  privateFolder(config.dataFolder, "KNACK_HOME");
  const downloadFolder = join(config.dataFolder, "downloads");
  privateFolder(downloadFolder, "KNACK_HOME");
  const log = through(openLogSink({ folder: join(config.dataFolder, "logs") }), redactor);
  const places = placesIn(config.dataFolder);
  const packFolder = join(config.dataFolder, "skills");
  privateFolder(packFolder, "KNACK_HOME");
  const blockFolder = join(config.dataFolder, "blocks");
  privateFolder(blockFolder, "KNACK_HOME");
  const host = makeId();
  const locks = holdHostLock(places.hosts, host);
  const stores = storesOrRelease();
  const interrupted = stores.trace.markInterrupted(clock(), locks.isAlive);
  if (interrupted.turns > 0) log.warn("interrupted-turns", interrupted);
  const broken = stores.learning.markBroken(locks.isAlive);
  if (broken > 0) log.warn("broken-showings", { showings: broken });
  if (stores.grants.list().length === 0 && stores.settings.get("grantsSeeded") !== true) {
    seedGrants(stores.grants, makeId, clock());
    stores.settings.set("grantsSeeded", true);
  }
  function storesOrRelease(): Stores {
    try {
      return through(openStoreSink({ file: places.store, backupFolder: places.backups, clock, makeId, factKeys, host }), redactor);
    } catch (error) {
      locks.release();
      throw error;
    }
  }
  const settings = () => readSettings(stores.settings);
  /** Of the model that was loaded last; told also while none is. */
  const keepContext = (context: LoadedContext) => stores.settings.set("loadedContext", context);
  const keptContext = (model: string | null): LoadedContext | undefined => {
    const kept = stores.settings.get("loadedContext") as LoadedContext | undefined;
    return kept?.model === model ? kept : undefined;
  };
  const lent = config.models?.chat;
  const models = {
    ...makeEngines({
      dataFolder: config.dataFolder,
      cacheFolder: config.cacheFolder,
      settings,
      chatModel: config.chatModel,
      log,
      redactor,
      onContext: keepContext,
      // Whoever made it closes it.
      loadChat: lent && (async () => asSink({ ...(await lent()), dispose: async () => undefined })),
      isAtWork: () => !turns.isResting() || maintenance.isAtWork(),
    }),
    ...(config.models?.embedder ? { embedder: config.models.embedder } : {}),
  };
  const engines = { ...models, embedder: withShippedCalibration(stores.calibrations, models.embedder) };
  const reach = { ...(config.sites ? { hosts: config.sites.hosts } : {}), ownPorts: () => ownPortsOf(config) };
  const reader = createPageReader({ ...reach, ...(config.sites ? { trustedSpki: config.sites.spki } : {}) });
  const activity = makeActivity({
    stores,
    clock,
    makeId,
    turnOf: (conversationId) => turns.turnOf(conversationId),
    keepDays: () => settings().activityDays,
    log,
  });
  const browserFolder = processFolder(join(config.dataFolder, "browser"));
  const launcher = createBrowserLauncher({
    startEgress: createEgress(reach),
    allowNoSandbox: config.env.KNACK_NO_SANDBOX === "1",
    ...(config.env.KNACK_BROWSER ? { executable: config.env.KNACK_BROWSER } : {}),
    ...(config.sites ? { trustedSpki: config.sites.spki } : {}),
    tempFolder: browserFolder,
  });
  const destinations = () => envelopeOf(stores.grants.list()).destinations;
  const news = makeNews({
    alerts: () => stores.alerts.list(),
    titleOf: (conversationId) => stores.conversations.get(conversationId)?.title,
    conversationOf: (turnId) => stores.trace.turn(turnId)?.conversationId,
    settings,
  });
  const approvals = makeApprovals({ stores, clock, makeId, ...(config.approve === undefined ? {} : { person: config.approve }) });
  const runProgram = makeProgramRunner({ environment: config.env, isSecret: (text) => redactor.redact(text) !== text });
  const forgettings = makeForgettings({ settings: stores.settings, makeId, forget: forgetStates, log });
  /** Of all conversations; what is just being evaluated for one is stopped. */
  async function forgetStates(): Promise<void> {
    warming.stop();
    await engines.forget(null);
  }
  /** The newest forgetting when the prompt of a desk was put together. */
  const putTogether = new WeakMap<Desk, string>();
  const desks = makeDesks(
    (conversationId) => {
      void forgettings.notice();
      const desk = storedDesk(stores, conversationId, randomBytes(4).toString("hex"), engines.note(conversationId));
      putTogether.set(desk, forgettings.newest());
      return desk;
    },
    (desk) => {
      if (putTogether.get(desk) !== forgettings.newest()) return void forgettings.again();
      // As the model read it: what was masked on the way to it is not written down beside its state.
      engines.rest(desk.conversationId, promptNote(stores, { ...desk, messages: redactor.redactDeep(desk.messages) }));
    },
    (desk) => {
      void forgettings.notice();
      if (putTogether.get(desk) === forgettings.newest() && hasItsTurns(stores, desk)) return;
      renewDesk(stores, desk, engines.note(desk.conversationId));
      putTogether.set(desk, forgettings.newest());
    },
  );
  const vault = makeVault({
    store: openVaultStore({ file: places.vault, exclusively: exclusiveLock(places.vaultLock, vaultWaitMs, vaultBusy), ...config.vault }),
    log: stores.vaultLog,
    settingStore: stores.settings,
    settings,
    grants: stores.grants,
    keychain: config.keychain ?? systemKeychain(),
    redactor,
    totp: { read: readTotp, code: totpCode, seed: totpSeed },
    age: { seal: (text, passphrase) => sealAge(text, passphrase, config.vault?.ageWork), open: openAge },
    clock,
    onFlagged: (entry, origin) =>
      void notice(
        world,
        `A page tried to send the login "${entry}" elsewhere`,
        `It belongs to ${origin || "another site"}, and the page's form was to send it to a site it is not bound to. It was kept from it. If you do not know this site, change the login there.`,
      ),
  });
  const world: SkillWorld = { stores, embedder: engines.embedder, makeId, clock, digest, settings, state, tools };
  const showing = makeShowings({
    ...world,
    launcher,
    onDecision: activity.listen("showing", null),
    downloadFolder,
    destinations,
    headed: config.env.KNACK_HEADLESS !== "1",
    logins: { bindings: vault.bindings, granted: () => envelopeOf(stores.grants.list()).vault },
  });
  const skillFiles = through(openSkillFileSink(packFolder), redactor);
  const packs = makePacks({ ...world, files: skillFiles, log });
  await packs.look();
  const blockFile = (name: "IDENTITY" | "RULES") => through(openBlockFileSink(blockFolder, name), redactor);
  const blockFiles = { IDENTITY: blockFile("IDENTITY"), RULES: blockFile("RULES") };
  /** The model in use by its name, as prompts tell it; looked at before each of them. */
  let chatModelName: string | null = null;
  const lookAtModel = async (): Promise<void> => {
    chatModelName = await engines.chatId().catch(() => chatModelName);
  };
  const connected = [...new Set((config.tools ?? []).flatMap(({ author }) => author ?? []))].map((author) => author.replace(/^mcp:/u, ""));
  const machine = () => ({ ...thisMachine(), ...(chatModelName === null ? {} : { model: chatModelName }), connected });
  const standing = makeStandingContext({ facts: stores.facts, files: blockFiles, settings, machine, digest, log });
  const blocks = makeBlockDesk({
    standing,
    files: blockFiles,
    facts: stores.facts,
    clock,
    prefix: (region) => systemText({ world: turnWorld(() => undefined), state: freezeState(state()) }, false, region),
    loadedModel: async () => (config.models?.chat !== undefined || engines.chatState().state === "ready" ? engines.chat() : null),
  });
  /** The embedder, once the skills that came as files can be found by it. */
  const readyEmbedder = async (): Promise<Embedder | null> => {
    const embedder = await engines.embedder();
    if (embedder) await indexUnknown({ skills: stores.skills, vectors: stores.vectors, embedder, now: clock() }, AbortSignal.timeout(600_000));
    return embedder;
  };
  const maintenance = makeMaintenance(
    {
      ...world,
      model: engines.chat,
      log,
      power: config.power ?? machinePower(),
      backUp: () => backupDaily(stores, places.backups, clock),
      prune: () => {
        activity.prune();
        return pruneOld(world, (id) => void engines.forget(id).catch((error: unknown) => log.warn("states-not-forgotten", { error })));
      },
    },
    {
      isOn: () => config.maintenance !== false && settings().learning,
      calibrates: config.models === undefined,
      mayDream: () => config.maintenance !== false && turns.isResting(),
      ...(config.idleAfterMs === undefined ? {} : { idleAfterMs: config.idleAfterMs }),
      ...(config.maxDistillations === undefined ? {} : { maxDistillations: config.maxDistillations }),
      ...(config.maxClusters === undefined ? {} : { maxClusters: config.maxClusters }),
    },
  );
  const isAnsweredElsewhere = (conversationId: string): boolean =>
    stores.trace.runningIn(conversationId).some((other) => other !== host && locks.isAlive(other));
  const turns = makeTurns({ stores, desks, maintenance, makeId, clock, turnWorld, isAnsweredElsewhere, before: packs.look });
  const warming = makeWarming({
    isResting: turns.isResting,
    model: engines.chat,
    async prompt(conversationId) {
      await packs.look();
      if (conversationId !== undefined && !stores.conversations.get(conversationId)) return null;
      return warmPrompt(
        turnWorld(() => undefined),
        conversationId === undefined ? null : desks.look(conversationId),
      );
    },
  });

  const addGrants: Agent["addGrants"] = (whats, by, limits = {}) => {
    // All are read before the first is granted.
    const asked = whats.map((what) => readGrant(what, by, { ...limits, isPublicSuffix, classify: classifyAddress }, makeId, clock()));
    const granted = asked.map((grant) => {
      const there = sameGrant(stores.grants, grant);
      if (!there) stores.grants.add(grant);
      return there ?? grant;
    });
    spreadGrants();
    return granted;
  };
  const addGrant: Agent["addGrant"] = (what, by, limits) => addGrants([what], by, limits)[0] as Grant;
  /** Grants and revocations reach open browsers at once. */
  function spreadGrants(): void {
    for (const session of desks.sessions()) session.setDestinations(destinations());
    reader.setDestinations(destinations());
  }

  function turnWorld(emit: (event: TurnEvent) => void): TurnWorld {
    const told = (event: TurnEvent): void => {
      news.heard(event);
      emit(event);
    };
    return {
      stores,
      model: engines.chat,
      embedder: readyEmbedder,
      newBrowser: (conversationId, workspace, signal) =>
        launcher.launch(
          {
            destinations: destinations(),
            downloadFolder: workspace ?? downloadFolder,
            downloadsAllowed: true,
            maxChars: 3500,
            onDecision: activity.listen("browser", conversationId),
          },
          signal,
        ),
      fetchPage: ({ conversationId, url, declared }, signal) =>
        reader.read(
          url,
          destinations(),
          {
            onDecision: activity.listen("web_fetch", conversationId),
            ...(declared === null ? {} : { within: (origin) => declaresOrigin(declared, origin) }),
          },
          signal,
        ),
      openWorkspace,
      classify: classifyAddress,
      approve: (request, signal) => approvals.ask(redactor.redactDeep(request), told, signal),
      runProgram,
      credentials: vault,
      ...(config.unlock === undefined ? {} : { askUnlock: (entry, signal) => unlockFor(entry, signal) }),
      grantDestination: addGrant,
      keepSkills: (episodeId) => skillsIn(stores, episodeId, skillKeeper(world, episodeId)),
      keepMemory: (turn) => memoryIn(stores, turn, memory.keeper(turn)),
      tools,
      state,
      objectors: config.objectors ?? [],
      contributions: packs.contributions,
      async blocks() {
        await lookAtModel();
        return standing.regions();
      },
      heard: (message) => (whyUnlearned(stores, message.conversationId) === null ? keepProfileAnswer(world, message) : []),
      messagesForPrompt: (conversationId) => messagesForPrompt(stores, conversationId),
      masked: (value) => redactor.redactDeep(value),
      settings,
      clock,
      makeId,
      digest,
      log,
      propose: (run) => (whyEpisodeUnlearned(stores, run.episodeId) === null ? proposeFromRun({ ...world, log }, run) : null),
      emit: told,
    };
  }

  /** What is wrong with it is no error of the turn: the login is refused, and says so. */
  async function unlockFor(entry: string, signal: AbortSignal): Promise<void> {
    await config.unlock?.(vault.person, entry, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      log.warn("vault-not-unlocked", { error });
    });
  }

  /** Nothing that is at work, in a conversation, in one that shares its turns, or in the background, may write down what is about to be erased. */
  async function letGo(conversationId: string): Promise<void> {
    maintenance.giveWay();
    for (const id of sharersOf(stores, conversationId)) {
      await turns.endOf(id);
      warming.stop();
      await desks.drop(id);
      await engines.forget(id);
    }
  }

  /** What is temporary is gone with everything in it, as if it had been deleted. */
  async function closeTemporary(id: string): Promise<void> {
    await letGo(id);
    await unremembered(() => eraseConversation({ ...world, log }, id, AbortSignal.timeout(60_000)));
    stores.rebuild();
  }

  /** What an erased conversation taught, skills and facts, may stand in the prompt of any other: then no state is kept of them either. */
  async function unremembered(erase: () => Promise<BecameOf[]>): Promise<BecameOf[]> {
    const before = JSON.stringify(stores.facts.list());
    const skills = await erase();
    if (skills.length > 0 || JSON.stringify(stores.facts.list()) !== before) await forgettings.add();
    return skills;
  }

  /** Those of hosts that are not alive. What could not be erased is tried again when Knack starts next. */
  async function closeTemporaries(isAlive: (host: string) => boolean): Promise<void> {
    for (const { id } of stores.conversations.temporaries(isAlive)) {
      try {
        await closeTemporary(id);
      } catch (error) {
        log.warn("temporary-not-erased", { error });
      }
    }
  }

  const ended = (skills: BecameOf[], backups: boolean): Promise<Erasure> =>
    endErasing(
      {
        stores,
        countBackups: () => backupsOf(config.dataFolder).length,
        eraseBackups: () => eraseBackups(places.backups),
        backUp: () => backupDaily(stores, places.backups, clock),
      },
      skills,
      backups,
    );

  /** A state that cannot be removed keeps nothing else from being erased; it is told in the end. */
  async function endedAndForgotten(backups: boolean): Promise<Erasure> {
    const forgotten = forgettings.add().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const erasure = await ended([], backups);
    const failed = await forgotten;
    if (failed !== null) throw failed.error;
    return erasure;
  }

  const memory = makeMemory({
    ...world,
    log,
    isOn: () => settings().memory,
    // A fact stands in what every conversation begins with.
    endErasing: endedAndForgotten,
    onLetGo: () => void forgettings.add().catch((error: unknown) => log.warn("states-not-forgotten", { error })),
    undoMs: config.undoMs ?? 20_000,
  });

  async function embedderState(): Promise<{ id: string | null; calibrated: boolean }> {
    const embedder: Embedder | null = await engines.embedder().catch(() => null);
    return { id: embedder?.id ?? null, calibrated: embedder !== null && thresholdsFor(stores.calibrations, embedder.key, false).calibrated };
  }

  /** The state of the chat model with how large its context is, and what to do where that is smaller than it should be. */
  function withContext(state: ReturnType<typeof engines.chatState>): Status["model"] {
    const kept = keptContext(state.id);
    const [contextSize, contextAsked] = [state.contextSize ?? kept?.size ?? null, kept?.asked ?? null];
    const smaller = smallerContextWords({ size: contextSize, asked: contextAsked });
    return { ...state, message: smaller === null || state.state !== "ready" ? state.message : `${state.message}. ${smaller}`, contextSize, contextAsked };
  }

  const chosen = () => ({ chat: config.chatModel ?? settings().chatModel, embedding: settings().embeddingModel });

  async function close(): Promise<void> {
    turns.stopAll();
    vault.close();
    await maintenance.stop();
    await closeTemporaries((other) => other !== host && locks.isAlive(other));
    await memory[Symbol.asyncDispose]();
    await showing.close();
    await desks.close();
    await launcher.dispose();
    rmSync(browserFolder, { recursive: true, force: true, maxRetries: 3 });
    warming.stop();
    await forgettings.notice();
    await engines.unload();
    activity.flush();
    stores.close();
    locks.release();
  }
  let closing: Promise<void> | null = null;

  const agent: HostedAgent = {
    showing,
    world,
    skillFiles,
    async status() {
      const browser = findBrowser(config.env.KNACK_BROWSER ?? "");
      const list = await listModels({ cacheFolder: config.cacheFolder, memoryBytes: totalmem(), chosen: chosen() });
      const inUse = list.find((model) => model.role === "chat" && model.inUse);
      const state = engines.chatState();
      return {
        version,
        dataFolder: config.dataFolder,
        model: inUse
          ? withContext({ ...state, id: state.id ?? inUse.id })
          : {
              id: null,
              state: "missing",
              message: "No chat model is on this machine. Get one with: knack models get qwen2.5-coder-1.5b",
              contextSize: null,
              contextAsked: null,
            },
        embedder: await embedderState(),
        browser: browser
          ? { found: browser, message: `Works in ${browser}` }
          : {
              found: null,
              message: config.env.KNACK_BROWSER
                ? `KNACK_BROWSER names ${config.env.KNACK_BROWSER}, which is no program. Correct it, or unset it to have a browser found.`
                : "No Chrome, Chromium or Edge was found. Install one, or set KNACK_BROWSER.",
            },
        offline: false,
      };
    },
    send: (input, signal) => turns.send(maskMessage(world, redactor, input), signal),
    stop: turns.stop,
    judge(episodeId, worked, by) {
      const episode = stores.trace.episode(episodeId);
      if (!episode) throw badInput(`There is no episode ${episodeId}`);
      stores.trace.judge(episodeId, worked ? "success" : "failure", worked ? `confirmed by ${by}` : `${by} said it was wrong`, clock());
      if (!worked) withdrawProposals(world, episodeId, `${by} said it was wrong`);
      const turn = stores.trace
        .turns(episode.conversationId)
        .filter((candidate) => candidate.episodeId === episodeId)
        .at(-1);
      const run = turn && stores.skills.runOfTurn(turn.id);
      if (run && run.outcome !== "left")
        finishRun(
          turnWorld(() => undefined),
          run,
          worked ? "success" : "failure",
          worked ? null : "the user said it was wrong",
        );
      if (turn?.recall?.skillId && run && whyUnlearned(stores, episode.conversationId) === null) {
        const asked = { goal: episode.goal, episodeId };
        if (worked) keepPhrasing(stores, turn.recall.skillId, asked, clock());
        else if (keepCounter(stores, turn.recall.skillId, asked, clock(), run.inputs)) countAnswer(stores.calibrations, turn.recall, false, clock());
      }
      const judged = stores.trace.episode(episodeId);
      if (!judged) throw badInput(`There is no episode ${episodeId}`);
      return judged;
    },
    approve: (id, allow, scope = "once", by = "user") => approvals.answer(id, allow, scope, by),
    standingApprovals: approvals.standing,
    revokeApproval: approvals.revoke,
    attachment(id) {
      const file = stores.conversations.attachment(id);
      if (!file) throw badInput(`There is no attached file ${id}; it may have been erased.`);
      const { name, text, read, isSearched } = file;
      return { id, name, text, characters: text.length, read, isSearched };
    },
    answerSuggestion(turnId, take) {
      const turn = stores.trace.turn(turnId);
      if (!turn?.recall?.skillId || turn.recall.verdict !== "suggested") throw badInput("This turn ended without a suggestion");
      if (whyUnlearned(stores, turn.conversationId) !== null) return;
      const { skills, vectors, calibrations } = stores;
      const world = { skills, vectors, calibrations, embedder: engines.embedder, now: clock() };
      void keepAnswer(world, { recall: turn.recall, episodeId: turn.episodeId }, take, AbortSignal.timeout(60_000)).catch((error: unknown) =>
        log.warn("reindex-failed", { error }),
      );
    },
    why: (turnId) => whyTurn(world, turnId),
    conversations: () => stores.conversations.list().filter(({ isTemporary }) => isTemporary !== true),
    conversation: (id, page) => conversationDetail(stores, id, page),
    ...foldersOfConversations(world),
    async closeTemporary(id) {
      const conversation = stores.conversations.get(id);
      if (!conversation) return false;
      if (!conversation.isTemporary) throw badInput("This conversation is kept, so it cannot be closed; it can be deleted.");
      await closeTemporary(id);
      return true;
    },
    exportConversation: (id, form) => exportConversation(stores, id, form, clock()),
    importConversation: (text) => importConversation(world, text),
    compactConversation: (id) =>
      turns.between(id, async (desk) =>
        compact(
          turnWorld(() => undefined),
          desk,
          await engines.chat(),
        ),
      ),
    undoCompaction: (id) => turns.between(id, async (desk) => undoCompaction(world, desk)),
    stepResult(id) {
      const step = stores.trace.step(id);
      if (!step) throw badInput(`There is no step ${id}`);
      return { stepId: id, text: stores.trace.resultOf(id) ?? step.text };
    },
    async deleteConversation(id, backups = false) {
      if (!stores.conversations.get(id)) throw badInput(`There is no conversation ${id}`);
      await letGo(id);
      return ended(await unremembered(() => eraseConversation({ ...world, log }, id, AbortSignal.timeout(60_000))), backups);
    },
    async eraseEpisode(id, backups = false) {
      await letGo(episodeOf(world, id).conversationId);
      return ended(await unremembered(() => eraseEpisode({ ...world, log }, id, AbortSignal.timeout(60_000))), backups);
    },
    eraseBackups: async () => (await ended([], true)).backupsErased,
    renameConversation(id, title) {
      if (!stores.conversations.get(id)) throw badInput(`There is no conversation ${id}`);
      if (title.trim() === "") throw badInput("A title cannot be empty");
      stores.conversations.rename(id, title.trim(), clock());
    },
    searchMessages: (query) => (query.trim() === "" ? [] : stores.conversations.find(query, 50)),
    skills: (all) => summariesOf(world, all),
    skill: (name, revision) => detailOf(world, name, revision),
    diffSkill: (name, a, b) => diffSkill(world, name, a, b),
    async revertSkill(name, revision, actor) {
      await revertSkill(world, name, revision, actor);
      return detailOf(world, name);
    },
    setSkillStatus(name, status, actor, reason) {
      setStatus(world, name, status, actor, reason);
      return detailOf(world, name);
    },
    supersedeSkill: (name, by, actor) => detailOf(world, supersedeSkill(world, name, by, actor).id),
    setSkillPinned(name, pinned, actor) {
      setPinned(world, name, pinned, actor);
      return detailOf(world, name);
    },
    setSkillMode(name, mode, actor) {
      setMode(world, name, mode, actor);
      return detailOf(world, name);
    },
    undoSkillChange: async (entryId, actor) => detailOf(world, (await undoChange(world, entryId, actor)).id),
    proposals: (all, name) => proposalsOf(world, all, name),
    acceptProposal: async (id, actor) => detailOf(world, (await acceptProposal(world, id, actor)).id),
    declineProposal: (id) => declineProposal(world, id),
    async eraseSkill(name, backups = false) {
      const skill = skillNamed(world, name);
      packs.requireGone(skill);
      maintenance.giveWay();
      eraseSkill(world, skill);
      return endedAndForgotten(backups);
    },
    importSkills: (files, actor) => importSkills(world, files, actor),
    exportSkill: (name) => exportSkill(world, name),
    validateSkills,
    async packs() {
      await packs.look();
      return packs.list();
    },
    async calibrate(signal) {
      const embedder = await engines.embedder();
      if (!embedder) throw new KnackError("model.missing", "No embedding model is on this machine. Get one with: knack models get all-minilm-l6-v2");
      return calibrateEmbedder(stores.calibrations, embedder, new Date(clock()), signal);
    },
    matchSkill: (goal, signal) => matchGoal({ ...world, embedder: readyEmbedder, model: engines.chat }, goal, signal),
    lift: (name) => liftOfSkills(world, name),
    induce: async (apply, signal) => asItStands(stores, await maintenance.pass(apply, signal)),
    reports: () => readReports(stores, 50),
    startShowing(goal, url, onAction) {
      // The address the user gave for showing is a destination they granted by that.
      addGrant(new URL(url).origin, "user");
      return showing.start(goal, url, onAction);
    },
    startRepair: (skill, options, onAction) => showing.startRepair(skill, options, onAction),
    finishShowing: (id, options) => showing.finish(id, options),
    editDraft: (id, edits) => showing.edit(id, edits),
    draftFile: (id) => showing.file(id),
    takeDraftFile: (id, text) => showing.takeFile(id, text),
    confirmShowing: (id, by, name, skill) => showing.confirm(id, by, name, skill),
    dropShowing: (id) => showing.drop(id),
    learnFrom(this: Agent, conversation, worked, by) {
      return learnFrom({ ...world, judge: (episodeId) => this.judge(episodeId, true, by) }, conversation, worked, AbortSignal.timeout(120_000));
    },
    showings: () => showing.list(),
    models: () => listModels({ cacheFolder: config.cacheFolder, memoryBytes: totalmem(), chosen: chosen() }),
    async *fetchModel(id, signal) {
      const events = new EventStream<FetchEvent>();
      const onContact = (address: string) => activity.begin("models", address);
      const fetching = fetchModel(catalogueEntry(id), { cacheFolder: config.cacheFolder, signal, onContact, onEvent: (event) => events.push(event) }).then(
        () => events.end(),
        (error: unknown) => events.end(error),
      );
      yield* events;
      await fetching;
    },
    verifyModel: (id) => verifyModel(catalogueEntry(id), { cacheFolder: config.cacheFolder, signal: AbortSignal.timeout(600_000) }),
    async useModel(id) {
      const entry = catalogueEntry(id);
      if (entry.role === "test") throw badInput(`${id} is only for tests`);
      const state = await verifyModel(entry, { cacheFolder: config.cacheFolder, signal: AbortSignal.timeout(600_000) });
      if (!state.ok) throw new KnackError("model.not-ready", state.message);
      changeSettings(stores.settings, entry.role === "chat" ? { chatModel: id } : { embeddingModel: id });
      await engines.unload();
      if (entry.role === "embedding") for (const skill of stores.skills.list({ all: true })) await reindex(world, skill.id, AbortSignal.timeout(600_000));
    },
    modelUse: () => engines.use(),
    async warm(conversationId, signal) {
      if (conversationId !== undefined && !stores.conversations.get(conversationId)) throw badInput(`There is no conversation ${conversationId}`);
      await warming.warm(conversationId, signal);
      return engines.use();
    },
    alerts: (all) => stores.alerts.list({ all }),
    resolveAlert: (id, resolution) => resolveAlert(world, id, resolution),
    actOnAlert: (id, action, actor) => actOnAlert(world, id, action, actor),
    grants: () => stores.grants.list(),
    activity: activity.page,
    contact: activity.get,
    addGrant,
    addGrants,
    revokeGrant(id) {
      if (!stores.grants.list().some((grant) => grant.id === id)) throw badInput(`There is no grant ${id}; see: knack grants list`);
      stores.grants.remove(id);
      spreadGrants();
    },
    facts: () => memory.list(),
    fact: (which) => memory.show(which),
    // As in a message: masked before anything reads it, so that nothing later depends on it.
    addFact: (text, label) => memory.add(redactor.redact(text), label),
    editFact: (which, change) => memory.edit(which, redactor.redactDeep(change)),
    letGoOfFact: (which) => memory.letGo(which),
    takeBackFact: (id) => memory.takeBack(id),
    forgetFact: (which, backups = false) => memory.forget(which, backups),
    exportFacts: () => memory.exportAll(),
    importFacts: (text) => memory.importAll(redactor.redact(text)),
    async blocks() {
      await lookAtModel();
      return blocks.list();
    },
    setBlock: (name, text) => blocks.set(name, redactor.redact(text)),
    resetBlock: blocks.reset,
    declineField: blocks.decline,
    askFieldAgain: blocks.askAgain,
    vault: vault.person,
    credentials: vault,
    onNews: news.listen,
    settings,
    changeSettings(change) {
      const before = settings();
      const now = changeSettings(stores.settings, change);
      if (before.memory && !now.memory) void forgettings.add().catch((error: unknown) => log.warn("states-not-forgotten", { error }));
      engines.settingsChanged();
      news.look();
      return now;
    },
    close: () => (closing ??= close()),
  };
  await closeTemporaries(locks.isAlive);
  return outward(agent, redactor);
}
