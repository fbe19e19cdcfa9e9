import { type Command, Option } from "commander";
import type { SkillDetail } from "#app/agent.ts";
import type { HostedAgent } from "#app/create-agent.ts";
import type { Alert, AlertAction } from "#contract/alerts/schema.ts";
import { badInput } from "#contract/errors.ts";
import { type Call, group, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
import { skillLines } from "../skill-lines.ts";
import { timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

export function addAlerts(program: Command, session: Session): void {
  const alerts = group(program, "alerts", "what waits for you to look at it");

  leaf<{ all?: boolean }>(alerts, session, "list", "the open ones", ({ screen, options }) =>
    withAgent((agent) => {
      const found = agent.alerts(options.all === true);
      if (screen.json) return screen.show(found, () => []);
      if (found.length === 0) return screen.say(options.all ? "There was never an alert." : "No open alerts.");
      screen.table(
        [{ head: "ID" }, { head: "SINCE" }, { head: "KIND" }, { head: "STATE" }, { head: "WHAT" }],
        found.map((alert) => [alert.id, timeText(alert.createdAt), alert.kind, alert.resolution ?? "open", `${alert.title}. ${alert.detail}`]),
      );
    }),
  ).option("--all", "settled ones too");

  leaf<{ note?: string; action?: Action }>(alerts, session, "resolve <id>", "answer or settle one", (call) => withAgent((agent) => resolve(agent, call)))
    .option("--note <text>", "how it was settled")
    .addOption(
      new Option("--action <action>", "what to do about a skill that switched itself off, or about what waits for your yes").choices([
        "review",
        "revert",
        "learn-again",
        "keep-off",
        "accept",
        "decline",
      ]),
    );
}

type Action = "review" | AlertAction;

async function resolve(agent: HostedAgent, { screen, args: [id = ""], options }: Call<{ note?: string; action?: Action }>): Promise<void> {
  const { action, note } = options;
  if (action === undefined) {
    agent.resolveAlert(id, note ?? "seen");
    return screen.show({ resolved: id, resolution: note ?? "seen" }, () => [`settled ${id}`]);
  }
  if (note !== undefined) throw badInput("An action settles the alert by itself; leave out --note");
  const alert = agent.alerts(true).find((one) => one.id === id);
  if (!alert) throw badInput(`There is no alert ${id}; see: knack alerts list`);
  if (action === "review") {
    const detail = alert.skillId === null ? null : agent.skill(alert.skillId);
    return screen.show({ alert, detail }, () => reviewLines(alert, detail));
  }
  const settled = await agent.actOnAlert(id, action, "user");
  const skill = agent.skill(settled.skillId ?? "").skill;
  const says = {
    revert: `"${skill.name}" is at revision ${skill.activeRevision} and in use again`,
    "learn-again": `"${skill.name}" stays off until it is learned again: from runs that go well from now on, or now with: knack skills teach "<goal>" --url <address> --skill ${skill.name}`,
    accept: alert.kind === "proposal" ? `"${skill.name}" is at revision ${skill.activeRevision}` : `"${skill.name}" is in use`,
    decline:
      alert.kind === "proposal"
        ? `declined; "${skill.name}" stays as it is`
        : `"${skill.name}" is retired; bring it back with: knack skills revive ${skill.name}`,
    "keep-off": `"${skill.name}" stays ${skill.status}; switch it on with: knack skills ${skill.status === "retired" ? "revive" : "enable"} ${skill.name}`,
  };
  screen.show({ alert: settled, skill }, () => [says[action]]);
}

function reviewLines(alert: Alert, detail: SkillDetail | null): string[] {
  const waiting = [["accept", "take it"] as const, ["decline", "leave it"] as const];
  const drifted = [
    ...(alert.revertTo === null ? [] : [["revert", `go back to revision ${alert.revertTo}`] as const]),
    ["learn-again", "let it be learned anew"] as const,
    ["keep-off", "leave it off"] as const,
  ];
  const ways = alert.kind === "drift" ? drifted : waiting;
  const open = ["drift", "review", "proposal"].includes(alert.kind) && alert.resolvedAt === null;
  return [
    alert.title,
    alert.detail,
    ...(alert.resolution === null ? [] : [`settled ${timeText(alert.resolvedAt)}: ${alert.resolution}`]),
    ...(detail ? ["", ...skillLines(detail)] : []),
    ...(open ? ["", `Answer with: knack alerts resolve ${alert.id} --action …`, ...ways.map(([way, does]) => `  ${way.padEnd(11)}  ${does}`)] : []),
  ];
}
