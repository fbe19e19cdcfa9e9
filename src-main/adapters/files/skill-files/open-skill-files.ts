import { asSink, type Sink } from "#core/ports/sink.ts";
import type { SkillFiles } from "#core/ports/skill-files.ts";
import { findFiles } from "./find-files.ts";
import { readPacks } from "./read-packs.ts";
import { writeSkillFile } from "./write-skill-file.ts";

/** SKILL.md files of this machine; `folder` is the one packs are kept in. */
export function openSkillFiles(folder: string): SkillFiles {
  return {
    packs: (known, signal) => readPacks(folder, known, signal),
    find: findFiles,
    write: writeSkillFile,
  };
}

/** `openSkillFiles`, closed: what is written is redacted on the way. */
export function openSkillFileSink(folder: string): Sink<SkillFiles> {
  return asSink(openSkillFiles(folder));
}
