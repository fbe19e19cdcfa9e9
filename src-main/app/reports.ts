import type { PassEntry, PassReport, ReportSource } from "#contract/learning/schema.ts";
import type { Stores } from "#core/ports/index.ts";

/** Reports, newest first, each entry with how things stand now: where it was said, and what became of the skill or the fact. */
export function readReports(stores: Stores, limit: number): PassReport[] {
  return stores.learning.reports(limit).map((report) => asItStands(stores, report));
}

export function asItStands(stores: Stores, report: PassReport): PassReport {
  const { dream } = report;
  const facts = new Map(stores.facts.list().map((fact) => [fact.id, fact]));
  return {
    ...report,
    ...(dream ? { dream: { ...dream, conversations: dream.conversations.map(({ id }) => ({ id, title: stores.conversations.get(id)?.title ?? null })) } } : {}),
    entries: report.entries.map((entry) => ({
      ...entry,
      now: {
        sources: sourcesOf(stores, entry),
        skillStatus: entry.skillName === null ? null : (stores.skills.byName(entry.skillName)?.status ?? null),
        fact: (entry.fact?.id != null && facts.get(entry.fact.id)) || null,
      },
    })),
  };
}

/** The conversations an entry rests on, each once. */
function sourcesOf({ conversations, trace }: Stores, { episodes, fact }: PassEntry): ReportSource[] {
  if (fact) {
    const found = conversations.get(fact.conversationId);
    return [found ? { conversationId: found.id, title: found.title, messageId: fact.messageId } : { conversationId: null, title: null }];
  }
  const ids = [...new Set(episodes.map((id) => trace.episode(id)?.conversationId ?? null))];
  return ids.map((id) => ({ conversationId: id, title: id === null ? null : (conversations.get(id)?.title ?? null) }));
}
