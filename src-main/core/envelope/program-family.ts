import { type Command, isShell, programName } from "./command.ts";

/** Commands that a person may allow together: this program with this deed and these options, whatever other words stand with them. */
export interface ProgramFamily {
  readonly program: string;
  readonly deed: string | null;
  readonly options: readonly string[];
}

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
export function programFamilyOf(command: Command): ProgramFamily | null {
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

/** Whether all words of a command but its options are names inside the folder it runs in. */
export function staysInside({ args }: Command): boolean {
  return args.filter((word) => !word.startsWith("-")).every((word) => !/^[~/\\@]|^[A-Za-z]:|:\/\/|(?:^|[\\/])\.\.(?:[\\/]|$)/u.test(word));
}

/** Whether a folder is one of these, or lies in one of them; real paths all. */
export function isWithin(folder: string, granted: readonly string[]): boolean {
  return granted.some((root) => folder === root || folder.startsWith(/[\\/]$/u.test(root) ? root : `${root}${root.includes("\\") ? "\\" : "/"}`));
}
