import type { Clock } from "#base/clock.ts";
import { KnackError } from "#contract/errors.ts";
import type { VaultAudit } from "#contract/vault/schema.ts";
import type { CredentialRequest, CredentialValues, EntryContent, OpenVault, WithCredential } from "../ports/index.ts";
import { isBoundTo } from "./handle.ts";
import type { Redactor } from "./redact.ts";

/** How long a value that was typed into a page is looked for in what comes back from it. */
const usedMs = 60 * 60_000;

export interface FillWorld {
  /** The open vault; null while it is locked. */
  readonly vault: () => OpenVault | null;
  readonly redactor: Redactor;
  /** The code of a moment, and how long a site may still take it. */
  readonly totpCode: (address: string, now: number) => { readonly code: string; readonly validMs: number };
  readonly note: (line: Pick<VaultAudit, "action" | "entry" | "origin" | "decision">) => void;
  readonly clock: Clock;
  /** Told that a value is handed out. */
  readonly onRelease: () => void;
  /** Runs while values are out; aborted when the vault is locked. */
  readonly whileOut: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

export function vaultLocked(): KnackError {
  return new KnackError("vault.locked", "The vault is locked. Unlock it, and do it again: knack vault unlock, or the Vault page.", { exit: 3 });
}

/**
 * The one place that reads a secret's value (security rule 7): looked at before it is read, masked before it is handed out, written down before it leaves.
 * What is refused is the same for an entry that is bound elsewhere and for one that does not exist.
 */
export function fillFrom(world: FillWorld): WithCredential {
  return async (request, use) => {
    const say = (decision: string): void => world.note({ action: "release", entry: printable(request.entry), origin: request.origin, decision });
    const refuse = (error: KnackError): never => {
      say(error.code);
      throw error;
    };
    const vault = world.vault() ?? refuse(vaultLocked());
    const outline = vault.entries().find(({ name }) => name === request.entry);
    const isWhole = outline !== undefined && request.fields.length > 0 && request.fields.every((field) => outline.fields.includes(field));
    if (!isWhole || !isBoundTo(outline.origins, request.origin)) return refuse(notBound(request));
    const content = vault.content(outline.id);
    say("released");
    return world.whileOut(async (signal) => {
      const out = { isOver: false };
      try {
        const result = await use(valuesOf(world, request, content, out, signal), signal);
        say("ok");
        return result;
      } catch (error) {
        const clean = cleaned(error, world.redactor);
        say(clean instanceof KnackError ? clean.code : "stopped");
        throw clean;
      } finally {
        out.isOver = true;
      }
    });
  };
}

function valuesOf(
  world: FillWorld,
  request: CredentialRequest,
  content: EntryContent,
  out: { readonly isOver: boolean },
  signal: AbortSignal,
): CredentialValues {
  const { clock, redactor } = world;
  return {
    take(field) {
      if (signal.aborted || world.vault() === null) throw vaultLocked();
      if (out.isOver) throw new KnackError("vault.over", "The values of this login are gone; ask for them again.");
      const value = request.fields.includes(field) ? content.values[field] : undefined;
      if (value === undefined) throw new KnackError("vault.no-field", `This login did not ask for the field "${printable(field)}".`);
      world.onRelease();
      if (field !== "totp") {
        redactor.add(content.name, value, usedMs);
        return value;
      }
      const { code, validMs } = world.totpCode(value, clock());
      redactor.add(content.name, code, validMs);
      return code;
    },
  };
}

function notBound({ entry, origin }: CredentialRequest): KnackError {
  return new KnackError("cred.origin", `Not filled in: no vault entry "${printable(entry)}" with these fields is bound to ${origin}.`, {
    exit: 3,
    fields: { origin },
  });
}

/** Libraries quote what they were told to type: of an error that is none of ours nothing is kept, and of ours no cause. */
function cleaned(error: unknown, redactor: Redactor): Error {
  if (error instanceof KnackError)
    return new KnackError(error.code, redactor.redact(error.message), { exit: error.exit, fields: redactor.redactDeep({ ...error.fields }) });
  if (error instanceof Error && error.name === "AbortError") return new DOMException("stopped", "AbortError");
  return new KnackError("cred.fill", "The values could not be filled into the page.");
}

/** A name that came from a model or a page, as far as it can be shown. */
export function printable(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/gu, "_").slice(0, 64);
}
