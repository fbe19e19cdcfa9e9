import type { ProgramFamily } from "#contract/grants/schema.ts";
import { type Command, isShell, programName } from "./command.ts";

/**
 * What runs texts as programs, starts other programs, reaches the network or other machines, or does what files of the folder tell it to: files that can be
 * written meanwhile. None of it can be allowed for always, since nobody can say what it will do.
 */
const openEnded = new Set(
  `awk gawk mawk sed perl python python2 python3 pypy pypy3 ruby node deno bun php lua luajit tclsh expect osascript wscript cscript java groovy jshell ghci R rscript
  julia emacs vim vi nvim ed ex env xargs sudo doas su nohup setsid timeout time nice ionice watch parallel find fd exec eval script stdbuf strace gdb ltrace
  make gmake cmake ninja npm npx yarn pnpm pip pip3 pipx uv poetry cargo go gradle mvn ant rake bundle composer dotnet msbuild tox pytest jest vitest git hg svn
  curl wget ssh scp sftp rsync ftp nc ncat netcat telnet socat docker podman kubectl systemctl launchctl crontab at start open xdg-open rundll32 msiexec
  tar zip unzip 7z cp mv rm dd install ln tee chmod chown truncate shred mkfs mount`
    .split(/\s+/u)
    .filter(Boolean),
);

/** What "always" would cover for this command; null where it can only be asked about each time. */
export function familyOf(command: Command): ProgramFamily | null {
  const { program, args } = command;
  const name = programName(program);
  // A program of the folder is whatever was written there last.
  if (/[\\/]/u.test(program) || isShell(command) || openEnded.has(name) || /^(?:python|perl|ruby|lua|node)[\d.]+$/u.test(name)) return null;
  const options = args.filter((word) => word.startsWith("-"));
  const [first] = args.filter((word) => !word.startsWith("-"));
  // What looks like the name of a deed ("list", "show") is one.
  const deed = first !== undefined && /^[a-z][a-z0-9-]{1,30}$/u.test(first) ? first : null;
  return { program, deed, options };
}

/** Whether a command belongs to a family: the same program, deed and options; other words and paths inside the folder may differ. */
export function isOfFamily(command: Command, family: ProgramFamily): boolean {
  const own = familyOf(command);
  if (own === null || own.program !== family.program || own.deed !== family.deed) return false;
  if (own.options.length !== family.options.length || own.options.some((option, at) => option !== family.options[at])) return false;
  return command.args.filter((word) => !word.startsWith("-")).every(staysInside);
}

function staysInside(word: string): boolean {
  return !/^[~/\\@]|^[A-Za-z]:|:\/\/|(?:^|[\\/])\.\.(?:[\\/]|$)/u.test(word);
}

/** Whether a folder is one of these, or lies in one of them; real paths all. */
export function isWithin(folder: string, granted: readonly string[]): boolean {
  return granted.some((root) => folder === root || folder.startsWith(/[\\/]$/u.test(root) ? root : `${root}${root.includes("\\") ? "\\" : "/"}`));
}
