// Type-checks every room of tsconfig.json in one process: what rooms share is parsed once, and each room answers for its own files only.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./root.mjs";

const formatHost = { getCurrentDirectory: () => root, getCanonicalFileName: (name) => name, getNewLine: () => "\n" };
const parsed = new Map();
let found = 0;

for (const { path } of JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")).references) {
  const diagnostics = checkRoom(join(root, path, "tsconfig.json"));
  found += diagnostics.length;
  if (diagnostics.length > 0) process.stdout.write(ts.formatDiagnostics(diagnostics, formatHost));
}
process.stdout.write(found === 0 ? "no type errors\n" : `${found} type errors\n`);
process.exitCode = found === 0 ? 0 : 1;

function checkRoom(configFile) {
  const read = ts.readConfigFile(configFile, ts.sys.readFile);
  if (read.error) return [read.error];
  const config = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(configFile), undefined, configFile);
  // A room may still be empty: that is not an error of this check.
  const faults = config.errors.filter((error) => error.code !== 18003);
  if (config.fileNames.length === 0 || faults.length > 0) return faults;
  const program = ts.createProgram({ rootNames: config.fileNames, options: config.options, host: sharingHost(config.options) });
  const own = config.fileNames.map((name) => program.getSourceFile(name)).filter((file) => file !== undefined);
  const global = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  return [...global, ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])];
}

function sharingHost(options) {
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile;
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const format = typeof languageVersion === "object" ? languageVersion.impliedNodeFormat : languageVersion;
    const key = `${name}\0${format}\0${options.jsx}`;
    if (!parsed.has(key)) parsed.set(key, parse.call(host, name, languageVersion, ...rest));
    return parsed.get(key);
  };
  return host;
}
