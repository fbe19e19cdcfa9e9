import { cut } from "#base/text.ts";
import { visibleText } from "./visible-text.ts";

const LONGEST = 120;
/** Endings by which a double click runs something, or a folder loads something, whatever the rights of the file. */
const RUN =
  /\.(?:desktop|directory|appimage|exe|com|scr|pif|bat|cmd|ps1|psm1|vbs|vbe|jse?|wsf|wsh|hta|msi|msp|msix|appx|cpl|reg|lnk|url|scf|inf|library-ms|settingcontent-ms|application|gadget|jar|jnlp|chm|app|command|terminal|workflow|action|pkg|mpkg|dmg|webloc|fileloc|inetloc|sh|bash|zsh|run|service)$/iu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu;

/** A name for a downloaded file that is only a name: no folder, no hidden file, no reserved device, nothing invisible, nothing that a double click runs. */
export function safeFileName(suggested: string): string {
  const last = visibleText(suggested).split(/[/\\]/u).at(-1) ?? "";
  const plain = last.replace(/[<>:"|?*]/gu, "_").replace(/^[.\s]+|[.\s]+$/gu, "");
  const dot = plain.lastIndexOf(".");
  const ending = dot > 0 && plain.length - dot <= 12 ? plain.slice(dot) : "";
  const stem = cut(ending === "" ? plain : plain.slice(0, dot), LONGEST - ending.length).trim();
  const name = `${stem}${ending}`;
  if (name === "") return "download";
  const plainName = RESERVED.test(stem) || RESERVED.test(name.split(".")[0] ?? "") ? `_${name}` : name;
  return RUN.test(plainName) ? `${plainName}.download` : plainName;
}

/** The name with a number before its ending: "bill (2).pdf". */
export function numbered(name: string, count: number): string {
  if (count === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`;
}
