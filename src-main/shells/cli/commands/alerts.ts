import type { Command } from "commander";
import { group, leaf } from "../leaf.ts";
import type { Session } from "../session.ts";
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

  leaf<{ note?: string }>(alerts, session, "resolve <id>", "settle one", ({ screen, args: [id = ""], options }) =>
    withAgent((agent) => {
      agent.resolveAlert(id, options.note ?? "seen");
      screen.show({ resolved: id, resolution: options.note ?? "seen" }, () => [`settled ${id}`]);
    }),
  ).option("--note <text>", "how it was settled");
}
