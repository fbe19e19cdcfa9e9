import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { storesOver } from "#adapters/sqlite/stores-over.ts";
import type { Stores } from "#core/ports/stores.ts";
import { conversation, ledgerEntry, revision, skill, turn } from "./fixtures/records.ts";

const key = { modelHash: "aa", quantisation: "", dimension: 2, prefixes: "" };
const vector = new Float32Array([1, 0]);

/** What SQLite does for the statements that this call really runs. */
function plan(call: (stores: Stores) => unknown): string[] {
  const statements: string[] = [];
  const database = new Database(":memory:", { verbose: (sql) => statements.push(String(sql)) });
  onTestFinished(() => {
    database.close();
  });
  const connection = connectionOver(database, ":memory:");
  migrate(connection, migrations, () => {});
  const stores = storesOver(connection, () => "id", null);
  stores.skills.create(skill("s", "name"), revision("s", 1), ledgerEntry("l", "s"));
  statements.length = 0;
  call(stores);
  const run = statements.filter((sql) => /^\s*(?:SELECT|UPDATE|DELETE|WITH)/u.test(sql));
  return run.flatMap((sql) =>
    (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail.replace(/ VIRTUAL TABLE INDEX .*/u, " FULL TEXT")),
  );
}

const mayFail = (work: () => unknown): void => {
  try {
    work();
  } catch {
    // Nothing is stored under these ids; only the statement matters.
  }
};

describe("the plan of", () => {
  it.each<[string, (stores: Stores) => unknown, string[]]>([
    ["the showings of a skill", (s) => s.learning.showingsOf("s"), ["SEARCH showings USING INDEX showings_by_skill (skill_id=?)"]],
    ["the recordings of hosts that are gone", (s) => s.learning.markBroken(() => false), ["SEARCH showings USING COVERING INDEX showings_recording (host>?)"]],
    ["the list of conversations", (s) => s.conversations.list(50), ["SCAN conversations USING INDEX conversations_by_update"]],
    ["the messages of a conversation", (s) => s.conversations.messages("c"), ["SEARCH messages USING INDEX messages_by_conversation (conversation_id=?)"]],
    [
      "a growing answer",
      (s) => mayFail(() => s.conversations.updateMessage("m", "text", "streaming")),
      ["SEARCH messages USING INDEX sqlite_autoindex_messages_1 (id=?)"],
    ],
    [
      "a message search",
      (s) => s.conversations.search("bill", 5),
      // Once for all words, and, as there are no hits, once for any.
      [
        "SCAN message_words FULL TEXT",
        "SEARCH messages USING INTEGER PRIMARY KEY (rowid=?)",
        "LIST SUBQUERY 1",
        "SEARCH conversations USING INDEX conversations_temporary (temporary_host>?)",
        "CREATE BLOOM FILTER",
        "SCAN message_words FULL TEXT",
        "SEARCH messages USING INTEGER PRIMARY KEY (rowid=?)",
        "LIST SUBQUERY 1",
        "SEARCH conversations USING INDEX conversations_temporary (temporary_host>?)",
        "CREATE BLOOM FILTER",
      ],
    ],
    [
      "the conversations that rest",
      (s) => s.learning.quietConversations(1, 50),
      [
        "SEARCH conversations USING COVERING INDEX conversations_by_update (updated_at<?)",
        "LIST SUBQUERY 2",
        "SCAN conversations USING INDEX conversations_unlearned",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 3",
        "SEARCH turns USING INDEX turns_by_conversation (conversation_id=?)",
        "SEARCH dreams USING INDEX sqlite_autoindex_dreams_1 (conversation_id=?) LEFT-JOIN",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH episodes USING INDEX episodes_by_conversation (conversation_id=?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH episodes USING INDEX episodes_by_conversation (conversation_id=?)",
      ],
    ],
    ["what was talked to", (s) => s.contacts.page({ limit: 50 }), ["SEARCH contacts USING INTEGER PRIMARY KEY (rowid<?)"]],
    [
      "what a conversation talked to",
      (s) => s.contacts.page({ limit: 50, conversationId: "c" }),
      ["SEARCH contacts USING INDEX contacts_by_conversation (conversation_id=? AND seq<?)"],
    ],
    ["what was refused", (s) => s.contacts.page({ limit: 50, refused: true }), ["SEARCH contacts USING INDEX contacts_refused (seq<?)"]],
    [
      "letting go of old contacts",
      (s) => s.contacts.prune(1, 10),
      [
        "SEARCH contacts USING INDEX contacts_by_time (at<?)",
        "SEARCH contacts USING INTEGER PRIMARY KEY (rowid<?)",
        "SCALAR SUBQUERY 1",
        // In the order of the rows, from the newest on, for as many as are kept.
        "SCAN contacts",
      ],
    ],
    [
      "the facts of a conversation",
      (s) => s.facts.loseConversation("c"),
      [
        "SEARCH facts USING INDEX facts_by_conversation (conversation_id=?)",
        "SEARCH fact_history USING COVERING INDEX fact_history_by_conversation (conversation_id=?)",
      ],
    ],
    ["the facts that were let go of", (s) => s.facts.letGoUntil(9), ["SEARCH facts USING INDEX facts_let_go (let_go_at>? AND let_go_at<?)"]],
    ["the history of a fact", (s) => s.facts.history("f"), ["SEARCH fact_history USING INDEX fact_history_by_fact (fact_id=?)"]],
    ["the steps of memory", (s) => s.trace.stepsOfMemory(), ["SEARCH steps USING INDEX steps_of_memory (tool=?)", "USE TEMP B-TREE FOR ORDER BY"]],
    ["the turns of a conversation", (s) => s.trace.turns("c"), ["SEARCH turns USING INDEX turns_by_conversation (conversation_id=?)"]],
    [
      "the compactions of a conversation",
      (s) => s.conversations.compactions("c"),
      ["SEARCH compactions USING INDEX compactions_by_conversation (conversation_id=?)"],
    ],
    ["the whole result of a step", (s) => s.trace.resultOf("s"), ["SEARCH step_results USING INDEX sqlite_autoindex_step_results_1 (step_id=?)"]],
    ["the steps of a turn", (s) => s.trace.stepsOfTurn("t"), ["SEARCH steps USING INDEX steps_by_turn (turn_id=?)"]],
    ["the steps of an episode", (s) => s.trace.stepsOfEpisode("e"), ["SEARCH steps USING INDEX steps_by_episode (episode_id=?)"]],
    [
      "a touched conversation",
      (s) => mayFail(() => s.conversations.touch("c", 1)),
      ["SEARCH conversations USING INDEX sqlite_autoindex_conversations_1 (id=?)"],
    ],
    ["the open episode", (s) => s.trace.openEpisode("c"), ["SEARCH episodes USING INDEX episodes_open (conversation_id=?)"]],
    ["the episodes of a conversation", (s) => s.trace.episodesOf("c"), ["SEARCH episodes USING INDEX episodes_by_conversation (conversation_id=?)"]],
    [
      "the episodes learning reads",
      (s) => s.trace.episodesChangedAfter(1000, 8),
      [
        "SEARCH episodes USING INDEX episodes_by_change (change>?)",
        "LIST SUBQUERY 1",
        "SCAN conversations USING INDEX conversations_unlearned",
        "CREATE BLOOM FILTER",
      ],
    ],
    ["the ids of a conversation's turns", (s) => s.trace.turnIds("c"), ["SEARCH turns USING INDEX turns_by_conversation (conversation_id=?)"]],
    [
      "the messages of a turn",
      (s) => s.conversations.messagesOfTurn("t"),
      ["SEARCH messages USING INDEX messages_by_turn (turn_id=?)", "USE TEMP B-TREE FOR ORDER BY"],
    ],
    [
      "a standing approval",
      (s) => s.approvals.covering("f", "c"),
      ["SEARCH standing_approvals USING INDEX standing_approvals_by_family (family=?)", "USE TEMP B-TREE FOR ORDER BY"],
    ],
    [
      "marking what a crash left",
      (s) => {
        s.conversations.create(conversation("c"));
        s.trace.addTurn(turn("t", "c"));
        s.trace.markInterrupted(1, () => false);
      },
      // Partial indexes that hold only what is running.
      [
        "SCAN turns USING COVERING INDEX turns_running",
        "SEARCH episodes USING COVERING INDEX sqlite_autoindex_episodes_1 (id=?)",
        "LIST SUBQUERY 1",
        "SEARCH turns USING INDEX turns_running (host=?)",
        "SEARCH runs USING INDEX runs_by_turn (turn_id=?)",
        "LIST SUBQUERY 1",
        "SEARCH turns USING INDEX turns_running (host=?)",
        "SEARCH turns USING INDEX turns_running (host=?)",
        "SCAN messages USING INDEX messages_streaming",
        "LIST SUBQUERY 1",
        "SCAN turns USING INDEX turns_running",
        "CREATE BLOOM FILTER",
        "SCAN steps USING INDEX steps_running",
        "LIST SUBQUERY 1",
        "SCAN turns USING INDEX turns_running",
        "CREATE BLOOM FILTER",
      ],
    ],
    ["a skill by name", (s) => s.skills.byName("n"), ["SEARCH skills USING INDEX sqlite_autoindex_skills_2 (name=?)"]],
    ["the list of skills", (s) => s.skills.list(), ["SCAN skills USING INDEX sqlite_autoindex_skills_2"]],
    [
      "the outlines of skills (REC-12)",
      (s) => s.skills.outlines(),
      // One look into each index a skill; no revision is read.
      [
        "SCAN skills USING INDEX sqlite_autoindex_skills_2",
        "SEARCH outlines USING PRIMARY KEY (skill_id=? AND number=?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH revisions USING COVERING INDEX sqlite_autoindex_revisions_1 (skill_id=?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH runs USING COVERING INDEX runs_by_skill (skill_id=?)",
      ],
    ],
    [
      "the records of skills (REC-12)",
      (s) => s.skills.records(["s"]),
      [
        "SCAN wanted FULL TEXT",
        "SEARCH skills USING INDEX sqlite_autoindex_skills_1 (id=?)",
        "SEARCH runs USING INDEX runs_by_revision (skill_id=? AND revision=?)",
        "SCAN wanted FULL TEXT",
        "SEARCH ledger USING INDEX ledger_switched_on (skill_id=?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
    ],
    [
      "the revisions in use (REC-12)",
      (s) => s.skills.activeRevisions(["s"]),
      [
        "SCAN wanted FULL TEXT",
        "SEARCH skills USING INDEX sqlite_autoindex_skills_1 (id=?)",
        "SEARCH revisions USING INDEX sqlite_autoindex_revisions_1 (skill_id=? AND number=?)",
      ],
    ],
    ["the revisions of a skill", (s) => s.skills.revisions("s"), ["SEARCH revisions USING INDEX sqlite_autoindex_revisions_1 (skill_id=?)"]],
    ["the ledger of a skill", (s) => s.skills.ledger("s"), ["SEARCH ledger USING INDEX ledger_by_skill (skill_id=?)"]],
    ["the runs of a skill", (s) => s.skills.runs("s"), ["SEARCH runs USING INDEX runs_in_order (skill_id=?)"]],
    ["the runs of a revision", (s) => s.skills.runs("s", 1), ["SEARCH runs USING INDEX runs_by_revision (skill_id=? AND revision=?)"]],
    ["the run of a turn", (s) => s.skills.runOfTurn("t"), ["SEARCH runs USING INDEX runs_by_turn (turn_id=?)"]],
    [
      "the nearest vectors",
      (s) => s.vectors.search(key, "phrasing", vector, 20),
      [
        "CO-ROUTINE nearest",
        "SEARCH vectors USING INDEX vectors_by_embedder (embedder_id=? AND owner_kind=?)",
        "SCALAR SUBQUERY 1",
        "SEARCH embedders USING COVERING INDEX sqlite_autoindex_embedders_1 (key=?)",
        "USE TEMP B-TREE FOR ORDER BY",
        "SCAN nearest",
        "SEARCH texts USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ],
    [
      "the nearest means (REC-12)",
      (s) => s.vectors.searchMeans(key, "phrasing", vector, 60),
      [
        "SEARCH means USING INDEX sqlite_autoindex_means_1 (embedder_id=? AND owner_kind=?)",
        "SCALAR SUBQUERY 1",
        "SEARCH embedders USING COVERING INDEX sqlite_autoindex_embedders_1 (key=?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
    ],
    [
      "the means of some owners (REC-12)",
      (s) => s.vectors.meansOf(key, "phrasing", vector, ["a", "b"]),
      [
        "SCAN wanted FULL TEXT",
        "SEARCH means USING INDEX sqlite_autoindex_means_1 (embedder_id=? AND owner_kind=? AND owner_id=?)",
        "SCALAR SUBQUERY 1",
        "SEARCH embedders USING COVERING INDEX sqlite_autoindex_embedders_1 (key=?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
    ],
    ["the calibration of an embedder", (s) => s.calibrations.of("key"), ["SEARCH calibrations USING INDEX sqlite_autoindex_calibrations_1 (key=?)"]],
    ["the answers under an embedder", (s) => s.calibrations.answers("key"), ["SEARCH recall_answers USING INDEX recall_answers_by_key (key=?)"]],
    [
      "letting go of old answers",
      (s) => s.calibrations.addAnswer("key", { certainty: 0.5, right: true }, 1),
      [
        "SEARCH recall_answers USING COVERING INDEX recall_answers_by_key (key=? AND seq<?)",
        "SCALAR SUBQUERY 1",
        "SEARCH recall_answers USING COVERING INDEX recall_answers_by_key (key=?)",
      ],
    ],
    [
      "full-text candidates",
      (s) => s.vectors.searchText("phrasing", "bill", 5),
      ["SCAN text_words FULL TEXT", "SEARCH texts USING INTEGER PRIMARY KEY (rowid=?)"],
    ],
    [
      "removing an owner's vectors",
      (s) => s.vectors.remove("o"),
      [
        "SEARCH texts USING COVERING INDEX sqlite_autoindex_texts_1 (owner_kind=? AND owner_id=?)",
        "SEARCH vectors USING COVERING INDEX vectors_by_text (text_id=?)",
      ],
    ],
    ["the list of facts", (s) => s.facts.list(), ["SCAN facts USING INDEX facts_by_creation"]],
    ["the alerts to look at", (s) => s.alerts.list(), ["SCAN alerts USING INDEX alerts_unresolved"]],
    ["the newest reports", (s) => s.learning.reports(10), ["SCAN pass_reports USING INDEX pass_reports_by_start"]],
  ])("%s", (_name, call, expected) => {
    expect(plan(call)).toEqual(expected);
  });

  it.each<[string, (stores: Stores) => unknown]>([
    ["what is missing under an embedder", (s) => s.vectors.missing(key, "phrasing", ["a", "b"])],
    ["the vectors of an owner", (s) => s.vectors.vectorsOf(key, "phrasing", "a")],
    ["the nearest text of some owners (REC-12)", (s) => s.vectors.nearestOf(key, "phrasing", vector, ["a", "b"])],
  ])("%s looks at nothing but that owner's texts and their vectors", (_name, call) => {
    expect(plan(call)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^SEARCH texts .*\(owner_kind=\? AND owner_id=\?\)/u),
        expect.stringMatching(/^SEARCH vectors .*vectors_by_text \(text_id=\? AND embedder_id=\?\)/u),
      ]),
    );
    expect(plan(call).filter((detail) => /^SCAN (?!wanted)/u.test(detail))).toEqual([]);
  });

  it("the means of some owners are looked up, each by its key", () => {
    expect(plan((s) => s.vectors.meansOf(key, "phrasing", vector, ["a", "b"]))).toEqual(
      expect.arrayContaining(["SEARCH means USING INDEX sqlite_autoindex_means_1 (embedder_id=? AND owner_kind=? AND owner_id=?)"]),
    );
  });

  const digest = { episodeId: "e", outcome: "success" as const, createdAt: 1, way: { site: "", effect: "", shapes: [] }, controls: [], leftOut: null };

  it.each<[string, (stores: Stores) => unknown, string[]]>([
    [
      "the groups like a new episode (IND-11)",
      (s) => s.clusters.groupsLike(key, vector, [1], 0.1),
      [
        "CO-ROUTINE near",
        "SCAN way FULL TEXT",
        "SEARCH grouped_episodes USING INDEX grouped_episodes_by_way (way_id=? AND went_well=?)",
        "USE TEMP B-TREE FOR DISTINCT",
        "SCAN near",
        "CORRELATED SCALAR SUBQUERY 3",
        "SCAN way FULL TEXT",
        "SEARCH other USING INDEX grouped_episodes_by_way (way_id=? AND went_well=? AND group_id=?)",
        "SEARCH texts USING COVERING INDEX sqlite_autoindex_texts_1 (owner_kind=? AND owner_id=?)",
        "SEARCH vectors USING INDEX vectors_by_text (text_id=? AND embedder_id=?)",
        "SCALAR SUBQUERY 2",
        "SEARCH embedders USING COVERING INDEX sqlite_autoindex_embedders_1 (key=?)",
      ],
    ],
    ["the groups that were touched", (s) => s.clusters.touched(), ["SCAN episode_groups USING COVERING INDEX episode_groups_touched"]],
    ["failures whose nearest one is gone", (s) => s.clusters.adrift(), ["SCAN grouped_episodes USING INDEX grouped_episodes_adrift"]],
    [
      "the ways of a site",
      (s) => s.clusters.waysAt("site"),
      ["SEARCH ways USING COVERING INDEX sqlite_autoindex_ways_1 (site=?)", "USE TEMP B-TREE FOR ORDER BY"],
    ],
    [
      "the clusters to work on",
      (s) => s.clusters.toWork(10),
      ["SEARCH clusters USING INDEX clusters_to_work (state=?)", "SEARCH clusters USING INDEX clusters_to_work (state=?)"],
    ],
    ["how many clusters wait", (s) => s.clusters.countWaiting(), ["SEARCH clusters USING COVERING INDEX clusters_to_work (state=?)"]],
    ["what no report told", (s) => s.clusters.untold(), ["SCAN clusters USING INDEX clusters_to_tell"]],
    ["clusters that a skill decided", (s) => s.clusters.reopen("s", "t"), ["SEARCH clusters USING INDEX clusters_of_skills (skill_id=?)"]],
  ])("%s", (_name, call, expected) => {
    expect(plan(call)).toEqual(expected);
  });

  it.each<[string, (stores: Stores) => unknown]>([
    ["the nearest episode of a site", (s) => s.clusters.nearest(key, vector, [1])],
    ["failures that are nearer to a new episode", (s) => s.clusters.nearer(key, vector, [1], 0.4)],
    ["placing an episode", (s) => s.clusters.place(digest, [])],
    [
      "joining two groups",
      (s) => s.clusters.place(digest, [s.clusters.place({ ...digest, episodeId: "a" }, []), s.clusters.place({ ...digest, episodeId: "b" }, [])]),
    ],
    ["taking an episode out", (s) => s.clusters.remove("e")],
    ["what is kept of an episode", (s) => s.clusters.placed("e")],
    ["the members of a group", (s) => s.clusters.members(1, key, 60, 600)],
    ["the clusters of a group", (s) => s.clusters.keepClusters(1, [])],
    ["deciding a cluster", (s) => s.clusters.decide(1, { state: "settled", decision: "skipped", reason: "", skillId: null, skillName: null, stamp: null })],
    ["telling of clusters", (s) => s.clusters.markTold([1])],
  ])("%s reads no table from end to end, however many episodes there are", (_name, call) => {
    expect(plan(call).filter((detail) => /^SCAN (?:grouped_episodes|clusters|episodes|ways|texts|vectors)/u.test(detail))).toEqual([]);
  });
});
