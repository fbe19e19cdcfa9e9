import { words } from "#base/text.ts";
import { type Form, isName, isPlace, oneAtATime } from "./form.ts";

/** How long it has been so, or that it is so now; it stands ahead of the place in German as well as after it. */
const forHowLong = "(?:(?:jetzt|derzeit|zurzeit|momentan|schon|noch|seit (?:\\p{L}+ )?(?:\\d+|\\p{L}+)(?: jahren?| monaten?| kurzem| langem)?) )*";
const since = "(?:,? (?:jetzt|derzeit|zurzeit|momentan|seit .{2,30}))?";

/** Nouns of what people do for a living, by their ends; those that have none, and others that end like them. */
const occupationEnd =
  /(?:erin|er|oren?|orin|istin|ist|antin|ant|entin|ent|eurin|eur|ärztin|arzt|wirtin|wirt|mann|frau|schwester|kraft|login|loge|nomin|nom|anwalt|anwältin)$/u;
const occupations =
  /^(?:koch|köchin|azubi|auszubildende[rn]?|angestellter?|beamtin|beamter|hebamme|pilot|pilotin|coach|rentner|rentnerin|chefin|chef|jurist|pfarrer|pfarrerin|student|studentin|selbstständig|selbständig|freiberuflich)$/u;
const noOccupation =
  /^(?:kunde|kundin|nutzer|nutzerin|benutzer|benutzerin|mutter|vater|bruder|schwester|tochter|mann|frau|kinder|besitzer|besitzerin|inhaber|inhaberin|gewinner|verlierer|anfänger|anfängerin|fehler|computer|monster|immer|wieder|hier|später|weiter|sicher|leer|mieter|mieterin|vermieter|empfänger|teilnehmer|teilnehmerin|absender|lehrling)$/u;

function isOccupation(value: string): boolean {
  const parts = words(value.replace(/\s(?:bei|in|an|im|am|für|aus|mit|beim)\s.*$/iu, ""));
  const noun = parts.at(-1) ?? "";
  return parts.length >= 1 && parts.length <= 3 && !noOccupation.test(noun) && (occupationEnd.test(noun) || occupations.test(noun));
}

/** The same of what a person says about themselves in German: name, home, origin and what they do. In order, after those in English. */
export const germanForms: readonly Form[] = [
  { pattern: /^(?:ich )?(?:heiß|heiss)e (.+)$/iu, read: oneAtATime("SOUL", "name", isName) },
  { pattern: /^mein (?:vor|ruf|nach)?name (?:ist|lautet) (.+)$/iu, read: oneAtATime("SOUL", "name", isName) },
  { pattern: /^(?:bitte )?(?:nenn(?:e|t|en sie)?|ruf(?:e|t)?) mich (?:bitte )?(?:einfach )?(.+)$/iu, read: oneAtATime("SOUL", "name", isName) },
  { pattern: /^(?:du kannst|sie können|ihr könnt) mich (?:gern[e]? )?(?:einfach )?(.+?) nennen$/iu, read: oneAtATime("SOUL", "name", isName) },
  { pattern: new RegExp(`^(?:(?:ich|wir) )?(?:wohnen?|leben?) ${forHowLong}in (.+?)${since}$`, "iu"), read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: /^(?:ich|wir) (?:bin|sind) (?:gerade |kürzlich |neulich )?nach (.+?) (?:gezogen|umgezogen)$/iu, read: oneAtATime("SOUL", "home", isPlace) },
  { pattern: /^(?:ich )?(?:komme|stamme) (?:ursprünglich )?aus (.+)$/iu, read: oneAtATime("SOUL", "origin", isPlace) },
  { pattern: /^(?:ich )?(?:arbeite|bin tätig) (?:derzeit |jetzt )?als (?:eine? )?(.{2,80})$/iu, read: oneAtATime("SOUL", "role") },
  { pattern: /^(?:ich )?bin (?:von beruf )(?:eine? )?(.{2,80})$/iu, read: oneAtATime("SOUL", "role") },
  { pattern: /^mein (?:beruf|job) ist (?:eine? )?(.{2,80})$/iu, read: oneAtATime("SOUL", "role") },
  { pattern: /^(?:ich )?bin (?:eine? )?((?:\p{L}+e[rn]? )?\p{Lu}.{2,60})$/u, read: oneAtATime("SOUL", "role", isOccupation) },
  { pattern: /^Ich bin (?:eine? )?((?:\p{L}+e[rn]? )?\p{Lu}.{2,60})$/u, read: oneAtATime("SOUL", "role", isOccupation) },
  {
    pattern: /^(?:ich )?arbeite (?:derzeit |jetzt )?(?:bei|beim|für die|für den) (.{2,80})$/iu,
    read: oneAtATime("SOUL", "employer", (value) => !/^(?:dir|ihnen|mir|uns|ihm|ihr)\b/iu.test(value)),
  },
];
