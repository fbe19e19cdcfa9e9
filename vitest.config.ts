import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const files = (...rooms: string[]) => rooms.map((room) => `test/${room}/**/*.test.{ts,tsx}`);

// Three projects, one after the other in groups: what needs the machine for itself (model, browser) never shares it.
export default defineConfig({
  root,
  test: {
    maxWorkers: 2,
    // A watcher or a left-over handle must not keep the suite from ending.
    teardownTimeout: 10_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: files("unit", "store", "rooms"),
          environment: "node",
          testTimeout: 20_000,
          hookTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "renderer",
          include: files("renderer"),
          environment: "jsdom",
          css: { modules: { classNameStrategy: "non-scoped" } },
          testTimeout: 20_000,
          hookTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "machine",
          include: files("model", "browser", "security", "shell", "e2e"),
          environment: "node",
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
