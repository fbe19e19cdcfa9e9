import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { say } from "./say.mjs";

const pause = 500;

/**
 * Runs `work` while no other process of this clone does the same kind of work; a second one waits and then finds it done.
 * The lock holds its owner's process id, so one left behind by a killed process is taken over.
 */
export async function withLock(name, work) {
  const folder = join(root, ".set-up");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.lock`);
  for (let told = false; !take(file); told = true) {
    if (!told) say(`Another Knack command is busy with ${name}; waiting for it …`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  const release = () => rmSync(file, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** Linking a finished file into place is atomic: nobody ever reads a lock without its owner. */
function take(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isOwnerAlive(file)) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function isOwnerAlive(file) {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
