// The table of rooms as rules: each room lists what it may import, everything else is refused.

const packages = (...names) => `(^|/)node_modules/(${names.map((name) => name.replaceAll(".", "\\.")).join("|")})/`;
const main = (...rooms) => `^src-main/(${rooms.join("|")})/`;

/** Everything outside `allowed` is forbidden to `from`; `node` says whether Node's own modules count as allowed. */
function room(name, from, allowed, { node = false, comment }) {
  const to = { pathNot: allowed };
  return { name, comment, severity: "error", from, to: node ? { ...to, dependencyTypesNot: ["core"] } : to };
}

/** Core's folders in the order of thought; a folder may enter those in earlier groups, and its neighbours. */
const order = [["ports"], ["skills"], ["envelope", "vault"], ["trace"], ["recall", "prompt"], ["tools"], ["gates"], ["turn"]];

/** The library each adapter wraps. A new dependency is named here before it is installed. */
const wraps = {
  llama: ["node-llama-cpp"],
  sqlite: ["better-sqlite3", "@types/better-sqlite3", "sqlite-vec"],
  "leak-sweep": ["better-sqlite3", "@types/better-sqlite3"],
  browser: ["playwright-core"],
  egress: ["proxy-chain", "ipaddr.js", "tldts", "undici", "ws", "@types/ws"],
  secrets: ["hash-wasm", "@noble/ciphers", "@napi-rs/keyring", "otpauth", "age-encryption"],
  mcp: ["@modelcontextprotocol/sdk"],
  log: ["pino"],
  power: ["systeminformation"],
};

const rendererKit = [
  "@internationalized/[^/]+",
  "@orpc/client",
  "@orpc/contract",
  "@react-aria/[^/]+",
  "@types/react",
  "@types/react-dom",
  "diff",
  "katex",
  "lucide-react",
  "react",
  "react-aria-components",
  "react-dom",
  "react-markdown",
  "rehype-harden",
  "rehype-katex",
  "remark-gfm",
  "remark-math",
  "shiki",
  "uplot",
  "virtua",
  "vite",
  "zod",
  "zustand",
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    room("base", { path: main("base") }, [main("base")], { comment: "base imports nothing" }),
    room("contract", { path: main("contract") }, [main("base", "contract"), packages("zod", "@orpc/contract")], {
      comment: "the contract is the wire: base, zod and @orpc/contract only",
    }),
    room("core", { path: main("core") }, [main("base", "contract", "core"), packages("zod", "yaml", "diff", "chrono-node", "stemmer")], {
      comment: "core decides from values: what it needs of the world goes through a port",
    }),
    {
      name: "core-by-index",
      comment: "a core folder enters another by an index.ts; a port may be named directly",
      severity: "error",
      from: { path: "^src-main/core/([^/]+)/" },
      to: { path: "^src-main/core/[^/]+/", pathNot: ["^src-main/core/$1/", "^src-main/core/.+/index\\.ts$", "^src-main/core/ports/"] },
    },
    ...order.slice(0, -1).map((folders, place) => ({
      name: `core-order-${folders.join("-")}`,
      comment: "within core, dependencies follow the order of thought",
      severity: "error",
      from: { path: main(`core/(${folders.join("|")})`) },
      to: {
        path: main(
          `core/(${order
            .slice(place + 1)
            .flat()
            .join("|")})`,
        ),
      },
    })),
    room(
      "core-learning",
      { path: main("core/learning") },
      [main("base", "contract", "core/(learning|skills|trace|ports)"), "^src-main/core/[^/]+\\.ts$", "node_modules/"],
      {
        comment: "learning uses skills, trace and ports, and meets the turn only in the store",
      },
    ),
    ...Object.entries(wraps).map(([adapter, names]) =>
      room(`adapter-${adapter}`, { path: main(`adapters/${adapter}`) }, [main("base", "contract", "core", `adapters/${adapter}`), packages("zod", ...names)], {
        node: true,
        comment: "an adapter knows the ports and its own library, never another adapter",
      }),
    ),
    room(
      "adapter-plain",
      { path: "^src-main/adapters/([^/]+)/", pathNot: main(`adapters/(${Object.keys(wraps).join("|")})`) },
      [main("base", "contract", "core"), "^src-main/adapters/$1/", packages("zod")],
      {
        node: true,
        comment: "an adapter that wraps no library knows the ports and Node",
      },
    ),
    {
      name: "adapters-core-types",
      comment: "of core an adapter uses ports and errors; of everything else the types only",
      severity: "error",
      from: { path: main("adapters") },
      // The rules of destinations are pure and decided in one place; the proxy that enforces them asks there (README, decisions).
      to: {
        path: main("core"),
        pathNot: ["^src-main/core/ports/", "^src-main/core/[^/]+\\.ts$", "^src-main/core/envelope/destination\\.ts$"],
        dependencyTypesNot: ["type-only"],
      },
    },
    room(
      "app",
      { path: main("app") },
      [main("base", "contract", "core", "adapters", "app"), "^models/", packages("zod", "@orpc/(server|contract)", "ulid", "croner", "yaml")],
      {
        node: true,
        comment: "app joins the rooms to its left; it knows no shell and no Electron",
      },
    ),
    {
      name: "adapters-constructed-once",
      comment: "only app/create-agent.ts, what works on the data without an agent (backups), evaluation and benches construct adapters",
      severity: "error",
      from: {
        path: "^(src-main|src-preload|src-renderer)/",
        pathNot: [main("adapters"), "^src-main/app/(create-agent|engines|backups|eval|demo|bench)(\\.ts$|/)"],
      },
      to: { path: main("adapters"), dependencyTypesNot: ["type-only"] },
    },
    room("shell-cli", { path: main("shells/cli") }, [main("base", "contract", "app", "shells/cli"), packages("commander")], {
      node: true,
      comment: "a shell knows app and its own library, never core, an adapter or another shell",
    }),
    room("shell-web", { path: main("shells/web") }, [main("base", "contract", "app", "shells/web"), packages("ws", "@types/ws", "@orpc/server")], {
      node: true,
      comment: "a shell knows app and its own library, never core, an adapter or another shell",
    }),
    room("shell-electron", { path: main("shells/electron") }, [main("base", "contract", "app", "shells/electron"), packages("electron", "@orpc/server")], {
      node: true,
      comment: "a shell knows app and its own library, never core, an adapter or another shell",
    }),
    room("preload", { path: "^src-preload/" }, ["^src-preload/", main("base", "contract"), packages("electron")], {
      comment: "the preload hands over a port: contract types and electron only",
    }),
    room("renderer", { path: "^src-renderer/", pathNot: "/vite\\.config\\.ts$" }, ["^src-renderer/", main("base", "contract"), packages(...rendererKit)], {
      comment: "the page knows base, contract and its kit",
    }),
    room("models", { path: "^models/" }, ["^models/", main("base", "contract"), packages("zod")], {
      node: true,
      comment: "models are fetched with Node alone",
    }),
    room(
      "setup",
      { path: "^setup/" },
      ["^setup/", "^models/", "^src-main/(adapters/browser/find-browser|app/folders)\\.ts$", main("base", "contract"), packages("typescript")],
      {
        node: true,
        comment: "set-up runs before anything is installed",
      },
    ),
    {
      name: "electron",
      comment: "only shells/electron and src-preload import electron",
      severity: "error",
      from: { pathNot: [main("shells/electron"), "^src-preload/", "^test/", "(^|/)node_modules/"] },
      to: { path: packages("electron") },
    },
    {
      name: "tests-stay-out",
      comment: "what ships never imports a test",
      severity: "error",
      from: { path: "^(src-main|src-preload|src-renderer|models|setup)/" },
      to: { path: "^test/" },
    },
    { name: "no-circle", comment: "no file needs itself", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
    { name: "resolvable", comment: "every import leads somewhere", severity: "error", from: { path: "^(src-|models|setup)" }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^out/", "^dist/"] },
    tsPreCompilationDeps: true,
    moduleSystems: ["es6", "cjs"],
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};
