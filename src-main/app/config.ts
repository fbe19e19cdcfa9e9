import type { HostSeat } from "#adapters/egress/index.ts";
import type { Cost } from "#adapters/secrets/index.ts";
import type { Objector } from "#core/gates/index.ts";
import type { Approver, Embedder, LanguageModel, Power, SecretStore } from "#core/ports/index.ts";
import type { Tool } from "#core/tools/index.ts";
import type { AgentVault } from "./vault.ts";

export interface AgentConfig {
  /** Everything that must not be lost. */
  readonly dataFolder: string;
  /** Models and what can be made again. */
  readonly cacheFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who answers when a step must be asked about. Default: the page, by an approval card that turns into a no after two minutes. */
  readonly approve?: Approver;
  /** Chat model for this process only; default the one in Settings. */
  readonly chatModel?: string;
  /** Sites of this machine for tests, demo and evaluation, with the pin of their certificate. */
  readonly sites?: { readonly hosts: ReadonlyMap<string, HostSeat>; readonly spki: string };
  /** Ports on which this process is spoken to itself; nothing that is granted leads there. */
  readonly ownPorts?: () => Iterable<number>;
  /** Tools beside those that are built in; an id that is taken is refused when the agent is made. */
  readonly tools?: readonly Tool[];
  /** Code rules that are asked before a tool runs, in order (SPEC 3.3 e). */
  readonly objectors?: readonly Objector[];
  /** What is known when a turn begins, for the rules to read: a plain mapping, copied then. Anything else is refused where the turn begins. */
  readonly state?: () => Readonly<Record<string, unknown>>;
  /** In place of the models of this machine: what a test or a bench made. */
  readonly models?: { readonly chat?: () => Promise<LanguageModel>; readonly embedder?: () => Promise<Embedder | null> };
  /** False leaves out the learning passes in the background. */
  readonly maintenance?: boolean;
  /** Milliseconds without a message after which a pass runs; ten minutes by default. */
  readonly idleAfterMs?: number;
  /** Where the machine's power comes from; asked of the operating system by default. */
  readonly power?: Power;
  /** Routines a pass may word; default 2. */
  readonly maxDistillations?: number;
  /** Clusters of episodes a pass may work on; default 10. */
  readonly maxClusters?: number;
  /** Milliseconds in which a fact that was let go of can be taken back; 20 s by default. */
  readonly undoMs?: number;
  /** Opens the vault where a login needs it and somebody is there to be asked; what goes wrong is told, and the login is refused. Default: nobody is asked. */
  readonly unlock?: (vault: AgentVault, entry: string, signal: AbortSignal) => Promise<void>;
  /** The operating system's keychain; asked of the system by default. */
  readonly keychain?: SecretStore;
  /** What a passphrase of the vault, and of its exports, costs to try; usual by default. For tests, which try many. */
  readonly vault?: { readonly cost?: Cost; readonly ageWork?: number };
  readonly clock?: () => number;
}
