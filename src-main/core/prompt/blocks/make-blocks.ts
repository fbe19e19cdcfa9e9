import { type BlockPermission, blockLayerSchema, blockPermissionSchema, blockTierSchema, failurePolicySchema, longestBlock } from "#contract/blocks/schema.ts";
import { badInput, type KnackError } from "#contract/errors.ts";
import { factSchema } from "#contract/memory/schema.ts";
import { blockMatrix, type MatrixRow } from "./matrix.ts";
import { type BlockSource, kindOf } from "./sources.ts";
import { isLearned, type PromptBlock, type PromptBlockSpec } from "./spec.ts";

const labels = factSchema.shape.label.options.map((label) => `${label}:`);

/**
 * Checks the blocks of a prompt and puts them in order. Throws bad-input, with the block's name and what to do instead, for every pairing that could not be
 * kept to in each turn: better when it is made than turn by turn.
 * @param hasFacts whether there is a store of facts to read a "memory" source from
 */
export function makeBlocks(specs: readonly PromptBlockSpec[], hasFacts: boolean): readonly PromptBlock[] {
  const blocks = specs.map((spec) => makeBlock(spec, hasFacts));
  for (const [index, { name, layer, order }] of blocks.entries()) {
    const others = blocks.slice(0, index);
    if (others.some((other) => other.name === name)) throw refused(name, "is declared twice", "Give one of them another name, or join their texts");
    const sharing = others.find((other) => other.layer === layer && other.order === order);
    if (sharing) throw refused(name, `has the place of ${sharing.name} in ${layer} (order ${order})`, "Give it an order of its own: the bytes rest on it");
  }
  return Object.freeze([...blocks].sort((one, other) => one.layer.localeCompare(other.layer) || one.order - other.order));
}

function makeBlock(spec: PromptBlockSpec, hasFacts: boolean): PromptBlock {
  const { name, source } = spec;
  if (typeof name !== "string" || !/^[A-Z][A-Z0-9_]{0,63}$/u.test(name))
    throw badInput(`"${name}" cannot be a block's name: it begins with a capital and holds at most 64 capitals, digits and underscores, such as HOUSE_RULES.`);
  const known = blockMatrix.get(name);
  if (known !== undefined) refuseContradiction(spec, known);
  const tier = declared(spec, "tier", spec.tier ?? known?.tier, blockTierSchema.options);
  const layer = declared(spec, "layer", spec.layer ?? known?.layer, blockLayerSchema.options);
  const order = spec.order ?? known?.order;
  if (order === undefined || !Number.isSafeInteger(order) || order < 0)
    throw refused(name, order === undefined ? "says no order" : `has the order ${order}`, "Give it a whole number, such as 90; smaller stands first");
  const block: PromptBlock = {
    name,
    source,
    tier,
    layer,
    order,
    permissions: permissionsOf(name, spec.permissions ?? known?.permissions ?? ["read"]),
    labelPrefix: (spec.labelPrefix ?? known?.labelPrefix ?? "").trim(),
    profileFields: spec.profileFields ?? known?.profileFields ?? [],
    renderWhen: spec.renderWhen ?? null,
    inherit: spec.inherit ?? known?.inherit ?? true,
    onSourceFailure: declared(spec, "onSourceFailure", spec.onSourceFailure ?? (isLearned(tier) ? "omit" : "fail_closed"), failurePolicySchema.options),
  };
  if (block.renderWhen !== null && typeof block.renderWhen !== "function")
    throw refused(name, "has a renderWhen that is no function", "Give a function (scope, blockId) that answers with true or false");
  requireFittingSource(block, hasFacts);
  return Object.freeze(block);
}

/** A known name means the same everywhere; what should differ is another block. */
function refuseContradiction(spec: PromptBlockSpec, known: MatrixRow): void {
  const given: readonly (readonly [string, unknown, unknown])[] = [
    ["tier", spec.tier, known.tier],
    ["layer", spec.layer, known.layer],
    ["order", spec.order, known.order],
    ["labelPrefix", spec.labelPrefix?.trim(), known.labelPrefix],
    ["inherit", spec.inherit, known.inherit],
  ];
  for (const [what, says, is] of given)
    if (says !== undefined && says !== is)
      throw refused(spec.name, `says ${what} ${JSON.stringify(says)} where the matrix has ${JSON.stringify(is)}`, `Leave ${what} out, or take another name`);
  const strayed = spec.profileFields?.find((field) => !known.profileFields.includes(field));
  if (strayed !== undefined) throw refused(spec.name, `has the profile field "${strayed}", which the matrix has not`, "Leave it out, or take another name");
  const wider = spec.permissions?.find((one) => isPermission(one) && !known.permissions.includes(one));
  if (wider !== undefined)
    throw refused(spec.name, `permits "${wider}" where the matrix has ${known.permissions.join(", ")}`, "Leave it out, or take another name");
}

function requireFittingSource({ name, tier, source, labelPrefix, profileFields }: PromptBlock, hasFacts: boolean): void {
  const kind = kindOf(source);
  if (isLearned(tier) && kind !== "memory")
    throw refused(
      name,
      `is of the learned tier "${tier}" and has a ${kind} source`,
      'A learned tier is rendered from facts alone: use source "memory", or an authored tier (platform, operating) for a text that somebody wrote',
    );
  if (!isLearned(tier) && kind === "memory")
    throw refused(
      name,
      `is of the authored tier "${tier}" and has facts for a source`,
      "What was learned never stands as if somebody had written it: use the tier profile or session",
    );
  if (kind === "memory" && !hasFacts)
    throw refused(
      name,
      'has the source "memory", and there is no store of facts',
      "It could not be read in any turn: hand over the store, or leave the block out",
    );
  if (kind === "memory" && !labels.includes(labelPrefix))
    throw refused(name, labelPrefix === "" ? "names no label of facts" : `names the label "${labelPrefix}"`, `Give labelPrefix one of ${labels.join(", ")}`);
  if (kind !== "memory" && labelPrefix !== "")
    throw refused(name, `has the label "${labelPrefix}" and a ${kind} source`, 'Labels are of facts: use source "memory", or leave labelPrefix out');
  if (kind !== "memory" && profileFields.length > 0)
    throw refused(name, `has profile fields and a ${kind} source`, 'A profile is rendered from facts: use source "memory", or leave profileFields out');
  requireUsable(name, source);
}

function requireUsable(name: string, source: BlockSource): void {
  if (source === "memory") return;
  if (source.kind === "static" && source.text.length > longestBlock) throw tooLong(name, source.text.length, "Shorten it, or split it into two blocks");
  if (source.kind === "file" && source.whenMissing.length > longestBlock)
    throw tooLong(name, source.whenMissing.length, "Shorten what stands in a file's place");
  if (source.kind === "computed" && !source.offlineSafe)
    throw refused(
      name,
      "computes its text without claiming offlineSafe",
      "A prompt is made without network: claim it where nothing remote is touched, else write the text to a file from outside and use a file source",
    );
}

function permissionsOf(name: string, given: readonly string[]): readonly BlockPermission[] {
  return Object.freeze(
    given.map((one) => {
      if (isPermission(one)) return one;
      throw refused(
        name,
        `permits "${one}"`,
        `A block is read, and edited by the user: ${blockPermissionSchema.options.join(", ")}. Nothing may write, replace or delete one by itself`,
      );
    }),
  );
}

function isPermission(text: string): text is BlockPermission {
  return (blockPermissionSchema.options as readonly string[]).includes(text);
}

function declared<T extends string>({ name }: PromptBlockSpec, what: string, value: T | undefined, allowed: readonly T[]): T {
  if (value !== undefined && allowed.includes(value)) return value;
  if (value === undefined)
    throw refused(
      name,
      `is no name of the matrix and says no ${what}`,
      `Give it one of ${allowed.join(", ")}; known names are ${[...blockMatrix.keys()].join(", ")}`,
    );
  const kernel = what === "layer" && (value as string) === "L0" ? "L0 is the kernel's. " : "";
  throw refused(name, `says ${what} "${value}"`, `${kernel}Use one of ${allowed.join(", ")}`);
}

function tooLong(name: string, length: number, instead: string): KnackError {
  return refused(name, `has ${length} characters; at most ${longestBlock} go into the prompt`, instead);
}

function refused(name: string, what: string, instead: string): KnackError {
  return badInput(`The block ${name} ${what}. ${instead}.`, { block: name });
}
