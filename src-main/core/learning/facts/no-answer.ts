import { fold, words } from "#base/text.ts";
import type { ProfileField } from "#contract/memory/schema.ts";

/** Said to a question, and no answer to it. */
const noAnswer =
  /^(?:yes|yeah|yep|no|nope|ok(?:ay)?|sure|thanks?|thank you|hello|hi|hey|stop|nothing|none|never ?mind|later|not now|what|why|who|cancel|skip|pass|maybe|go on|continue|next|again|please|hmm+|lol|idk|dunno|whatever|guess|any(?:thing|one|body)?|some(?:thing|one|body)?|no ?(?:body|one)|unknown|anonymous|private|secret|test|n\/?a|null|undefined)$/u;
/** With these a person has something done. */
const task =
  /^(?:(?:can|could|would|will) you |please |i (?:need|want|would like|look)\b|i'd like |let's |let us )|^(?:add|answer|ask|book|buy|call|cancel|change|check|choose|click|close|compare|compose|convert|copy|create|delete|describe|do|download|draft|email|enter|explain|export|fetch|fill|find|forget|forward|get|give|go|google|help|import|list|log|look|make|message|move|note|open|order|pay|phone|pick|play|post|press|print|prepare|put|read|record|register|remember|remind|remove|rename|renew|reply|request|reserve|run|save|scan|schedule|search|select|send|set|share|show|sign|skip|start|stop|submit|summari[sz]e|take|tell|text|transfer|translate|try|turn|type|update|upload|use|visit|watch|write)\b/u;
/** Whether something is to be done, said as one says it. */
export function isTask(folded: string): boolean {
  return task.test(folded);
}

/** Words no person and no place is called by. */
const noPart =
  /^(?:i|me|my|mine|you|your|yours|he|she|they|we|his|her|their|it|who|what|why|where|when|how|does|do|did|is|are|not|no|never|there|here|good|morning|afternoon|evening|night|hello|thanks|busy|important|matter|telling|business|user|assistant|system|admin|administrator|root|knack|password|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|tonight|bills|invoices?|receipts?|letters?|mails?|e-?mails?|messages?|news|newsletters?|weather|tickets?|trains?|flights?|forms?|files?|folders?|pages?|sites?|photos?|pictures?|documents?|reports?|statements?|calendar|timetable|account|accounts)$/u;
const noPlace =
  /^(?:nowhere|somewhere|anywhere|everywhere|elsewhere|earth|mars|space|home|bed|outside|inside|work|far|away|hell|heaven|online|internet|abroad)$/u;
/** Things whose words end like those for what people do. */
const noOccupation =
  /^(?:whatever|however|ever|over|under|later|paper|newspaper|letter|newsletter|folder|computer|printer|counter|number|weather|order|answer|offer|power|summer|winter|easter|september|october|november|december|dinner|water|door|floor|corner|center|river|chapter|cover|poster|butter|calendar|register|charger|router|scanner|ladder|browser|filter|header|footer|planner|reminder|voucher|transfer|matter|flyer|tracker|bank|statement|document|appointment)$/u;

/** Things of everyday work that are written with a capital, in German always: none is what somebody is called by. */
const commonNoun =
  /^(?:invoices?|bills?|receipts?|rechnung(?:en)?|quittung(?:en)?|passwor[dt]|taxi|ambulance|doctor|arzt|help|hilfe|order|bestellung|booking|buchung|termin|appointment|meeting|weather|wetter|address|adresse|e-?mail|mail|brief|letter|number|nummer|name|computer|laptop|phone|telefon|handy|internet|website|webseite|page|seite|browser|bank|konto|account|card|karte|ticket|fahrkarte|train|zug|bus|flight|flug|car|auto|house|haus|wohnung|home|school|schule|work|arbeit|job|beruf|office|büro|money|geld|food|essen|pizza|coffee|kaffee|tea|tee|water|wasser|book|buch|music|musik|film|movie|news|nachrichten|question|frage|answer|antwort|problem|error|fehler|idea|idee|thing|ding|day|tag|week|woche|month|monat|year|jahr|table|tisch|chair|stuhl|document|dokument|file|datei|folder|ordner|photo|foto|picture|bild|holiday|urlaub|hotel|package|paket|contract|vertrag|insurance|versicherung|tax|steuer|menu|list|liste|note|notiz|customer|kunde|user|person|human|mensch|nobody|niemand|stuff|sache|morning|morgen|evening|abend|night|nacht)$/u;
/** Ends of words for things and states; no first name of the usual ones has them. */
const abstractEnd = /(?:tion|sion|ness|ship|ware|ture|ism|ology|graphy|keit|heit|schaft|ung|ismus|tät)$/u;

/** Whether a single word is a common noun, which a capital does not make a name. Pure. */
export function isCommonNoun(value: string): boolean {
  const parts = words(value);
  const [only = ""] = parts;
  return parts.length === 1 && (commonNoun.test(only) || (only.length > 5 && abstractEnd.test(only)) || noPart.test(only));
}

/** Whether an answer to a question about a person is a task, or a word that tells nothing of what was asked. Pure. */
export function isNoAnswer(value: string, field: ProfileField): boolean {
  const folded = fold(value);
  if (noAnswer.test(folded) || task.test(folded)) return true;
  const parts = words(value);
  if (field === "role")
    return noOccupation.test(words(value.replace(/\b(?:at|for|in|with|from|by|of)\b.*$/iu, "")).at(-1) ?? "") || /^(?:i|my|your|his|her|their)\b/u.test(folded);
  return parts.some((part) => noPart.test(part)) || (field === "location" && noPlace.test(parts[0] ?? ""));
}
