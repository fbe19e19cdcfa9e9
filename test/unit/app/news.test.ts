import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeNews } from "#app/news.ts";
import type { Alert } from "#contract/alerts/schema.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import type { News } from "#contract/news.ts";

const alert = (id: string): Alert => ({
  id,
  kind: "drift",
  title: `Alert ${id}`,
  detail: "It failed twice.",
  skillId: null,
  proposalId: null,
  revertTo: null,
  createdAt: 1,
  resolvedAt: null,
  resolution: null,
});
const finished = (status: string): TurnEvent => ({ type: "turn-finished", turn: { conversationId: "c 1", status } }) as TurnEvent;

let alerts: Alert[];
let settings: { notifications: boolean; staysInTray: boolean };
let told: News[];
let control: AbortController;
const desk = () => {
  const made = makeNews({ alerts: () => alerts, titleOf: () => "The June bill", conversationOf: () => "c 1", settings: () => settings });
  made.listen((news) => told.push(news), control.signal);
  return made;
};

beforeEach(() => {
  vi.useFakeTimers();
  [alerts, settings, told, control] = [[alert("old")], { notifications: true, staysInTray: false }, [], new AbortController()];
});
afterEach(() => {
  control.abort();
  vi.useRealTimers();
});

it("tells how things stand at once, and nothing of what stood there before", () => {
  desk();
  expect(told).toEqual([{ alerts: 1, staysInTray: false, notice: null }]);
});

it("tells of an answer with its conversation, unless the user stopped it", () => {
  const news = desk();
  news.heard(finished("stopped"));
  news.heard(finished("interrupted"));
  expect(told).toHaveLength(1);
  news.heard(finished("done"));
  expect(told.at(-1)?.notice).toEqual({ kind: "answer", title: "Knack has answered", text: "The June bill", route: "#/chat/c%201" });
});

it("tells of a question", () => {
  desk().heard({ type: "approval-requested", turnId: "t", approvalId: "a", tool: "browser_open", args: {}, reason: "May Knack open\nhttps://a.example?" });
  expect(told.at(-1)?.notice).toMatchObject({ kind: "question", text: "May Knack open https://a.example?" });
});

it("finds an alert that nobody told of, once", () => {
  desk();
  alerts.push(alert("new"));
  vi.advanceTimersByTime(15_000);
  vi.advanceTimersByTime(60_000);
  expect(told.slice(1)).toEqual([
    { alerts: 2, staysInTray: false, notice: { kind: "alert", title: "Alert new", text: "It failed twice.", route: "#/alerts" } },
  ]);
});

it("tells counts alone where notifications are off, and of a switch that was turned", () => {
  settings.notifications = false;
  const news = desk();
  alerts.push(alert("new"));
  news.heard(finished("done"));
  settings.staysInTray = true;
  news.look();
  expect(told.slice(1)).toEqual([
    { alerts: 2, staysInTray: false, notice: null },
    { alerts: 2, staysInTray: true, notice: null },
  ]);
});

it("falls silent with its signal", () => {
  const news = desk();
  control.abort();
  alerts.push(alert("new"));
  news.heard(finished("done"));
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(1);
});
