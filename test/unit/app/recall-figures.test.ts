import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gainOf } from "#app/eval/gains.ts";
import { curveOf, type Decided, dangerousClasses, figuresOf, recallAt } from "#app/eval/recall/figures.ts";
import type { GoalReport } from "#app/eval/routines.ts";

/** "meant: verdict named", "-" for none; the best is what is named. */
function decided(certainty: number, meant: string, verdict: Decided["verdict"], best: string): Decided {
  const none = (name: string): string | null => (name === "-" ? null : name);
  return {
    query: { text: `${meant} ${certainty}`, skill: none(meant) },
    verdict,
    named: verdict === "neither" ? null : none(best),
    best: none(best),
    certainty,
  };
}

const tiny = [
  decided(0.9, "bills", "used", "bills"),
  decided(0.8, "bills", "used", "class"),
  decided(0.7, "class", "suggested", "class"),
  decided(0.6, "class", "suggested", "bills"),
  decided(0.5, "class", "neither", "class"),
  decided(0.85, "-", "used", "bills"),
  decided(0.65, "-", "suggested", "class"),
  decided(0.3, "-", "neither", "class"),
  decided(0, "-", "neither", "-"),
];

describe("figures, by hand", () => {
  it("of a tiny set", () =>
    expect(figuresOf(tiny)).toEqual({
      inScope: 5,
      outOfScope: 4,
      precision: 0.3333,
      recall: 0.2,
      falseRecalls: 0.25,
      usedOrSuggested: 0.4,
      falseSuggestions: 0.5,
    }));
  it("of nothing are 0", () => expect(Object.values(figuresOf([])).every((value) => value === 0)).toBe(true));

  it("of a curve are what each threshold alone would give", () => {
    const curve = curveOf(tiny);
    expect(curve.map(({ threshold }) => threshold)).toEqual([0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1]);
    const at = (wanted: number) => curve.find(({ threshold }) => threshold === wanted);
    expect([at(0.9), at(0.65), at(0.3), at(1)]).toEqual([
      { threshold: 0.9, precision: 1, recall: 0.2, falseRecalls: 0 },
      { threshold: 0.65, precision: 0.4, recall: 0.4, falseRecalls: 0.5 },
      { threshold: 0.3, precision: 0.375, recall: 0.6, falseRecalls: 0.75 },
      { threshold: 1, precision: 0, recall: 0, falseRecalls: 0 },
    ]);
  });

  it("the highest recall of a precision is that of the best threshold that holds it", () => {
    expect([recallAt(tiny, 0.95, 0.01), recallAt(tiny, 0.5, 1), recallAt(tiny, 0, 1), recallAt(tiny, 0, 0), recallAt([], 1, 1)]).toEqual([
      0.2, 0.4, 0.6, 0.2, 0,
    ]);
  });
  it("and no threshold parts what is equally sure", () => {
    const tied = [decided(0.9, "a", "used", "a"), decided(0.9, "-", "used", "a"), decided(0.9, "a", "used", "b")];
    expect(recallAt(tied, 0.95, 0.01)).toBe(0);
    expect(recallAt(tied, 0.3, 1)).toBe(0.5);
  });
  it("that recall is one a threshold really gives, whatever was decided", () => {
    const one = fc
      .record({ certainty: fc.integer({ min: 0, max: 5 }), meant: fc.constantFrom("a", "b", "-"), best: fc.constantFrom("a", "b", "-") })
      .map(({ certainty, meant, best }) => decided(certainty / 5, meant, "neither", best));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), fc.double({ min: 0.01, max: 1, noNaN: true }), (all, precision) => {
        const given = [0, 1, 2, 3, 4, 5].map((at) => {
          const used = all.filter(({ certainty }) => certainty >= at / 5);
          const right = used.filter(({ query, best }) => best !== null && best === query.skill).length;
          const inScope = all.filter(({ query }) => query.skill !== null).length;
          return right >= precision * used.length && inScope > 0 ? Math.round((right / inScope) * 10_000) / 10_000 : 0;
        });
        expect(recallAt(all, precision, 1)).toBe(Math.max(...given));
      }),
    );
  });
});

describe("dangerous pairs", () => {
  const names = [
    "alarm_set",
    "alarm_query",
    "alarm_remove",
    "query_alarm_tomorrow",
    "music_query",
    "cancel_reservation",
    "confirm_reservation",
    "pay_bill",
    "bill_due",
  ];
  it("are skills that do something else with the same thing, and their goals that got the other one", () => {
    const goals = [
      decided(0.9, "alarm_set", "used", "alarm_query"),
      decided(0.9, "alarm_set", "suggested", "alarm_remove"),
      decided(0.9, "alarm_set", "used", "alarm_set"),
      decided(0.9, "alarm_query", "used", "music_query"),
      decided(0.9, "music_query", "used", "alarm_query"),
      decided(0.9, "pay_bill", "suggested", "bill_due"),
      decided(0.9, "-", "used", "alarm_set"),
    ];
    expect(dangerousClasses(names, goals)).toEqual([
      { class: "set, query, remove", pairs: 5, goals: 4, used: 1, suggested: 1 },
      { class: "book, cancel, confirm", pairs: 1, goals: 0, used: 0, suggested: 0 },
      { class: "pay, when due", pairs: 1, goals: 1, used: 0, suggested: 1 },
    ]);
  });
});

describe("what was learned is worth", () => {
  const goal = (id: string, mode: GoalReport["mode"], steps: number, seconds: number, skill: string | null = null, done = true): GoalReport => ({
    site: "portal",
    goal: id,
    mode,
    done,
    steps,
    seconds,
    tokens: { evaluated: 0, reused: 0, generated: 0 },
    skill,
    why: "",
    reply: "",
    trace: [],
  });
  const taught = new Map([
    ["portal/bill", new Set(["fetch-bill"])],
    ["portal/permit", new Set(["visitor-permit", "guest-permit"])],
  ]);

  it("the steps and seconds that a skill saved over the same goal without one", () =>
    expect(
      gainOf(
        [
          goal("bill-1", "baseline", 9, 20),
          goal("bill-1", "show-strict", 4, 2, "fetch-bill@1"),
          goal("bill-2", "baseline", 3, 5),
          goal("bill-2", "show-strict", 4, 2.5, "fetch-bill@2"),
          goal("bill-2", "show-advisory", 1, 1, "fetch-bill@2"),
        ],
        "show-strict",
        taught,
      ),
    ).toEqual({ skillsMade: 3, goals: 2, wrongRecalls: 0, gained: 0, compared: 2, stepsSaved: 2, secondsSaved: 10.3 }));

  it("where the same was never tried, over the mean of its kind done with a hint; of another kind, or not done, counts nothing", () =>
    expect(
      gainOf(
        [
          goal("bill-1", "chat-hint", 8, 30),
          goal("bill-2", "chat-hint", 6, 20),
          goal("bill-3", "chat-hint", 90, 300, null, false),
          goal("permit-1", "chat-hint", 50, 50),
          goal("bill-4", "chat", 4, 5, "fetch-bill@1"),
        ],
        "chat",
        taught,
      ),
    ).toMatchObject({ goals: 1, compared: 1, stepsSaved: 3, secondsSaved: 20 }));

  it("nothing for a goal that was done without a skill, that a skill did not get done, or that nothing compares to", () =>
    expect(
      gainOf(
        [
          goal("bill-1", "baseline", 9, 20),
          goal("bill-1", "chat", 9, 20),
          goal("bill-2", "baseline", 9, 20),
          goal("bill-2", "chat", 1, 1, "fetch-bill@1", false),
          goal("bill-3", "chat", 1, 1, "fetch-bill@1"),
        ],
        "chat",
        taught,
      ),
    ).toMatchObject({ goals: 3, wrongRecalls: 0, compared: 0, stepsSaved: null, secondsSaved: null }));

  it("a goal more, and no steps, where it was given up without the skill", () =>
    expect(
      gainOf([goal("bill-1", "baseline", 3, 20, null, false), goal("bill-1", "show-advisory", 6, 30, "fetch-bill@1")], "show-advisory", taught),
    ).toMatchObject({ gained: 1, compared: 0, stepsSaved: null }));

  it("less for every goal that was put under a skill of another kind", () =>
    expect(
      gainOf(
        [
          goal("bill-1", "chat", 1, 1, "visitor-permit@1"),
          goal("permit-1", "chat", 1, 1, "guest-permit@1"),
          goal("permit-big-2", "chat", 1, 1, "guest-permit@3"),
          goal("permit-3", "chat", 1, 1),
        ],
        "chat",
        taught,
      ).wrongRecalls,
    ).toBe(2));
});
