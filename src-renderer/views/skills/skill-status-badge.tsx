import type { SkillStatus } from "#contract/skills/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";

const TONES: Record<SkillStatus, Tone> = { provisional: "accent", active: "good", disabled: "warn", retired: "plain" };

export function SkillStatusBadge({ status }: { readonly status: SkillStatus }) {
  return <Badge tone={TONES[status]}>{status === "disabled" ? "off" : status}</Badge>;
}
