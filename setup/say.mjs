/** One line about what set-up is doing. On stderr, so that a command's own output stays clean. */
export function say(line) {
  process.stderr.write(`[set-up] ${line}\n`);
}

/** Set-up cannot go on: what happened, then what to do. */
export function fail(what, wayOn) {
  say(`${what} ${wayOn}`);
  process.exit(1);
}
