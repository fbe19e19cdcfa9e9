import { existsSync } from "node:fs";
import { join } from "node:path";
import { getLlama, type LlamaModel } from "node-llama-cpp";
import { describe, expect, it } from "vitest";
import { makeChatFormat } from "#adapters/llama/chat-format.ts";
import { foldersOf } from "#app/folders.ts";
import { catalogueEntry } from "../../models/fetch.ts";

const ids = ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "qwen3-4b-instruct-2507", "smollm2-135m"];

/** Only the vocabulary of a model that is on this machine already. */
async function withVocabulary(id: string, work: (model: LlamaModel) => void): Promise<void> {
  const file = join(foldersOf(process.env).cacheFolder, "models", catalogueEntry(id).file);
  await using model = await (await getLlama({ gpu: false })).loadModel({ modelPath: file, vocabOnly: true });
  work(model);
}

function isHere(id: string): boolean {
  const is = existsSync(join(foldersOf(process.env).cacheFolder, "models", catalogueEntry(id).file));
  if (!is) console.info(`The special tokens of ${id} are not tried: its file is not on this machine.`);
  return is;
}

/** Every token of the vocabulary that is more than letters. */
function marksOf(model: LlamaModel): { readonly token: number; readonly text: string }[] {
  return [...model.iterateAllTokens()]
    .filter((token) => {
      const { control, userDefined, unknown } = model.getTokenAttributes(token);
      return control || userDefined || unknown || model.isEogToken(token);
    })
    .map((token) => ({ token, text: model.detokenize([token], true) }))
    .filter(({ text }) => text.trim() !== "");
}

describe.each(ids)("INJ-08: the special tokens of %s", (id) => {
  it.runIf(isHere(id))("come out of no text, wherever they stand in it, and the text stays whole", async () => {
    await withVocabulary(id, (model) => {
      const { text: tokensOf } = makeChatFormat(model, "chatml");
      const marks = marksOf(model);
      expect(marks.length).toBeGreaterThan(5);
      for (const { token, text } of marks) {
        for (const said of [text, `a${text}b`, `${text}${text}`, `<${text}`, `${text.slice(0, 1)}${text}${text.slice(1)}`, `{"tool":"${text}"}`]) {
          const tokens = tokensOf(said);
          expect([text, tokens.includes(token as never)]).toEqual([text, false]);
          expect(model.detokenize(tokens, true)).toBe(said);
        }
      }
      const all = marks.map(({ text }) => text).join(" and ");
      expect(tokensOf(all).filter((token) => marks.some((mark) => mark.token === token))).toEqual([]);
    });
  });

  it.runIf(isHere(id))("stand where the format puts them, and plain text is cut as ever", async () => {
    await withVocabulary(id, (model) => {
      const format = makeChatFormat(model, "chatml");
      expect(model.detokenize([...format.head("system")], true)).toBe("<|im_start|>system\n");
      for (const said of ["Read the <table> of 3 < 4 | 5 > 2.", '{"tool":"browser_click","args":{"target":"link Services"}}', "日本語 🙂\n\n\tnaïve"])
        expect(format.text(said)).toEqual(model.tokenize(said, false));
    });
  });
});
