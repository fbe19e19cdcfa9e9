import type { BlockLayer, BlockPermission, BlockTier } from "#contract/blocks/schema.ts";

/** What a known name stands for. */
export interface MatrixRow {
  readonly tier: BlockTier;
  readonly layer: BlockLayer;
  readonly order: number;
  readonly permissions: readonly BlockPermission[];
  readonly labelPrefix: string;
  readonly profileFields: readonly string[];
  readonly inherit: boolean;
}

function row(tier: BlockTier, layer: BlockLayer, order: number, more: Partial<MatrixRow> = {}): MatrixRow {
  return Object.freeze({ tier, layer, order, permissions: ["read"] as const, labelPrefix: "", profileFields: [], inherit: true, ...more });
}

/** The eight blocks of SPEC 5. A child agent would otherwise ask a person again who has been asked: ONBOARDING is not inherited. */
export const blockMatrix: ReadonlyMap<string, MatrixRow> = new Map([
  ["BOUNDARIES", row("platform", "L1", 10)],
  ["IDENTITY", row("platform", "L1", 20, { permissions: ["read", "edit"] })],
  ["RULES", row("operating", "L1", 30, { permissions: ["read", "edit"] })],
  ["ENVIRONMENT", row("operating", "L1", 40)],
  ["USER_PROFILE", row("profile", "L1", 50, { labelPrefix: "SOUL:", profileFields: ["name", "location", "role"] })],
  ["PREFERENCES", row("profile", "L1", 60, { labelPrefix: "PREFERENCE:" })],
  ["FOCUS", row("session", "L2", 70, { labelPrefix: "FOCUS:" })],
  ["ONBOARDING", row("operating", "L1", 80, { inherit: false })],
]);
