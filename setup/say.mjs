const everyMs = 5_000;

/** One line about what set-up is doing. On stderr, so that a command's own output stays clean. */
export function say(line) {
  endProgress();
  process.stderr.write(`[set-up] ${line}\n`);
}

/** Set-up cannot go on: what happened, then what to do. */
export function fail(what, wayOn) {
  say(`${what} ${wayOn}`);
  process.exit(1);
}

let shownAt = 0;
let isOpen = false;

/** A line that replaces itself on a terminal; elsewhere at most one every five seconds. */
export function progress(line) {
  if (process.stderr.isTTY) {
    const width = (process.stderr.columns ?? 80) - 1;
    process.stderr.write(`\r\u001b[K${`[set-up]   ${line}`.slice(0, width)}`);
    isOpen = true;
  } else if (Date.now() - shownAt >= everyMs) {
    shownAt = Date.now();
    process.stderr.write(`[set-up]   ${line}\n`);
  }
}

function endProgress() {
  if (isOpen) process.stderr.write("\r\u001b[K");
  isOpen = false;
}
