import type { ConversationView, TurnView } from "#contract/chat/reducer.ts";
import { Badge } from "../../components/badge.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Notice } from "../../components/notice.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { routeHash } from "../../store/route.ts";
import { answerOf, isLearnable, questionOf } from "../../store/turn-parts.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { ForgetTask } from "./forget-task.tsx";
import { ForkLine } from "./fork-line.tsx";
import { HaltedCard } from "./halted-card.tsx";
import { InterruptedCard } from "./interrupted-card.tsx";
import { LearnThis } from "./learn-this.tsx";
import { MessageFiles } from "./message-files.tsx";
import { OutcomeButtons } from "./outcome-buttons.tsx";
import { PlaceLine } from "./place-line.tsx";
import { ProposalLinks } from "./proposal-links.tsx";
import { SkillLine } from "./skill-line.tsx";
import { StepList } from "./step-list.tsx";
import { SuggestionCard } from "./suggestion-card.tsx";
import { TurnActions } from "./turn-actions.tsx";
import styles from "./turn-card.module.css";
import { TurnFigures } from "./turn-figures.tsx";
import { WaitingLine } from "./waiting-line.tsx";

export interface TurnCardProps {
  readonly view: ConversationView;
  readonly turn: TurnView;
  readonly isLast: boolean;
}

/** One user message and everything that came of it. */
export function TurnCard({ view, turn, isLast }: TurnCardProps) {
  const { status } = turn.turn;
  const isRunning = status === "running";
  const question = questionOf(view, turn);
  const answer = answerOf(view, turn);
  const text = turn.text === "" ? (answer?.text ?? "") : turn.text;
  // The outcome belongs to the episode; it is asked for once, where the episode ended.
  const isFollowedUp = view.turns.findLast((other) => other.turn.episodeId === turn.turn.episodeId) !== turn;
  const fork = view.forks.find(({ turnId }) => turnId === turn.turn.id);
  const isTemporary = view.about?.isTemporary === true;
  const isCutOff = status === "interrupted" || (answer?.status === "interrupted" && !isRunning && status !== "stopped");
  return (
    <article className={styles.turn} aria-label={question?.text ?? "Turn"} aria-busy={isRunning}>
      {question === null ? null : <div className={styles.question}>{question.text}</div>}
      {question?.attachments === undefined ? null : <MessageFiles files={question.attachments} />}
      <SkillLine turn={turn} />
      {isRunning && turn.place !== null ? <PlaceLine place={turn.place} /> : null}
      <StepList steps={turn.steps} isRunning={isRunning} />
      {turn.approval === null ? null : <ApprovalCard approval={turn.approval} />}
      {text === "" ? null : (
        <div className={styles.answer}>
          <Markdown text={text} />
        </div>
      )}
      {isRunning && turn.waiting !== null ? <WaitingLine waiting={turn.waiting} /> : null}
      {isRunning && turn.approval === null && turn.waiting === null ? (
        <p className={styles.working}>
          <Spinner /> {turn.steps.some((step) => step.status === "running") ? "Working …" : text === "" ? "Thinking …" : "Writing …"}
        </p>
      ) : null}
      {isCutOff ? (
        <p className={styles.mark}>
          <Badge tone="warn">Interrupted</Badge> Knack ended while this was under way. Everything that had been stored is here.
        </p>
      ) : null}
      {isLast && (status === "interrupted" || (status === "stopped" && !turn.mayResume)) ? <InterruptedCard turn={turn} /> : null}
      {turn.kept.map(({ factId, text: fact }) => (
        <p className={styles.mark} key={factId}>
          <Badge>Noted</Badge> {fact}
        </p>
      ))}
      {status === "stopped" ? (
        <p className={styles.mark}>
          <Badge>Stopped</Badge> You stopped this.
        </p>
      ) : null}
      {turn.problem === null ? null : (
        <Notice tone="bad" title="Knack could not finish this">
          {turn.problem}
        </Notice>
      )}
      {turn.alerts.map(({ alertId, title }) => (
        <Notice key={alertId} tone="warn" actions={<a href={routeHash("alerts")}>Look at it</a>}>
          {title}
        </Notice>
      ))}
      {isLast ? <HaltedCard turn={turn} goal={turn.episode?.goal ?? question?.text ?? ""} /> : null}
      {isRunning || isFollowedUp ? null : <ProposalLinks turn={turn} />}
      {isLast ? <SuggestionCard turn={turn} /> : null}
      {isRunning ? null : (
        <footer className={styles.foot}>
          {turn.episode === null || isFollowedUp ? null : <OutcomeButtons episode={turn.episode} />}
          {isLast && view.conversationId !== null && !isTemporary && view.about?.isImported !== true && isLearnable(view, turn) ? (
            <LearnThis conversationId={view.conversationId} />
          ) : null}
          {question === null ? null : <TurnActions turn={turn} answer={text} isTemporary={isTemporary} />}
          {fork === undefined ? null : <ForkLine fork={fork} />}
          <TurnFigures turn={turn.turn} />
          {turn.episode === null || isFollowedUp || isTemporary ? null : <ForgetTask episode={turn.episode} />}
        </footer>
      )}
    </article>
  );
}
