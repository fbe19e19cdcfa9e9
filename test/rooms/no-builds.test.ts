import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

it("no package is compiled while it is installed: npm builds whatever brings a binding.gyp unless it is told not to", () => {
  const modules = join(root, "node_modules");
  const names = readdirSync(modules).flatMap((name) => (name.startsWith("@") ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name]));
  const built = names.filter((name) => existsSync(join(modules, name, "binding.gyp")));
  const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { allowScripts: Record<string, boolean> };
  expect(built).toContain("better-sqlite3");
  expect(built.filter((name) => allowScripts[name] !== false)).toEqual([]);
});
