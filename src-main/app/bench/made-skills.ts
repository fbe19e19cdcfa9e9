import type { RevisionContent, Run, SkillInput, SkillStep } from "#contract/skills/schema.ts";

const verbs = ["download", "renew", "report", "reserve", "return", "move", "change", "order", "book", "submit"];
const more = ["yearly", "monthly", "weekly", "family", "business", "guest", "second", "spare", "old", "new"];
const things = ["bill", "loan", "permit", "lamp", "seat", "parcel", "message", "address", "invoice", "timesheet"];
const places = ["library", "council", "school", "portal", "garage", "clinic", "theatre", "harbour", "market", "station"];

/** What the n-th skill is about, other words for each up to ten thousand. */
interface Topic {
  readonly name: string;
  readonly verb: string;
  readonly thing: string;
  readonly place: string;
  readonly site: string;
}

export function topicOf(n: number): Topic {
  const pick = (list: readonly string[], digit: number): string => list[Math.floor(n / 10 ** digit) % 10] ?? "";
  const [verb, thing, kind, place] = [pick(verbs, 0), pick(things, 1), pick(more, 2), pick(places, 3)];
  const round = Math.floor(n / 10_000);
  return {
    name: `${verb}-${kind}-${thing}-${place}${round === 0 ? "" : `-${round}`}`,
    verb,
    thing: `${kind} ${thing}${round === 0 ? "" : ` ${round}`}`,
    place,
    site: `https://${place}-${Math.floor(n / 25)}.example`,
  };
}

/** Ways to ask for it; the first is its goal. */
export function phrasingsOf({ verb, thing, place }: Topic): string[] {
  return [
    `${verb} the ${thing} of the ${place}`,
    `Please ${verb} my ${thing} at the ${place}`,
    `I want to ${verb} a ${thing}`,
    `Could you ${verb} the ${thing} for me`,
    `${place}: ${verb} ${thing}`,
    `I need the ${place} to ${verb} my ${thing} for March 2027`,
    `help me ${verb} one more ${thing} in the ${place}`,
  ];
}

/** A procedure of twelve steps with two inputs, as a showing leaves it; other words in each revision. */
export function contentOf(n: number, revision: number): RevisionContent {
  const topic = topicOf(n);
  const { verb, thing, place, site } = topic;
  const [goal = "", ...phrasings] = phrasingsOf(topic);
  return {
    summary: `${verb} the ${thing} of the ${place}, as done the ${revision}. time`,
    whenToUse: `The user wants to ${verb} the ${thing} of the ${place}`,
    goal,
    phrasings,
    inputs: {
      type: "object",
      properties: { month: input("month", ["March 2027", "April 2027"]), reference: input("id", ["AB-1234", "CD-5678"]) },
      required: ["month"],
    },
    bindings: [{ goal: `${goal} for March 2027, reference AB-1234`, inputs: { month: "March 2027", reference: "AB-1234" } }],
    preconditions: [],
    antiPreconditions: [],
    steps: Array.from({ length: 12 }, (_, at) => stepOf(topic, at, revision)),
    edgeCases: [`The ${thing} is not listed yet: say so and stop.`],
    toolsRequired: ["browser_open", "browser_click", "browser_fill"],
    capabilities: { primitives: ["browser"], vault: [], destinations: [site] },
  };
}

function input(kind: SkillInput["kind"], examples: string[]): SkillInput {
  return { type: "string", kind, description: `The ${kind} that is asked for`, examples };
}

function stepOf({ thing, place, site }: Topic, at: number, revision: number): SkillStep {
  const onFail = "Stop and report what the page shows instead.";
  if (at === 0) return { do: `Open the ${place}`, call: { tool: "browser_open", args: { url: site } }, check: { page: { heading: place } }, onFail };
  const section = `${thing} section ${at}, ${revision}`;
  return at % 3 === 0
    ? {
        do: `Type the month into ${section}`,
        call: { tool: "browser_fill", args: { target: { role: "textbox", name: section, within: place }, text: "{{month}}" } },
        check: { page: { heading: section, text: "{{month}}" } },
        onFail,
      }
    : {
        do: `Press ${section} and wait for the list of the ${place}`,
        call: { tool: "browser_click", args: { target: { role: "link", name: section, within: place } } },
        check: { page: { heading: section, url: `${site}/${at}/*` } },
        onFail,
      };
}

/** How the runs of a skill went: mostly well, so that nearly all are offered. */
export function outcomeOf(n: number, run: number): Run["outcome"] {
  return n % 50 === 49 ? "failure" : (n + run) % 9 === 0 ? "failure" : (n + run) % 13 === 0 ? "left" : "success";
}
