/** How two members compare. */
export interface Pair {
  /** Cosine of their goals. */
  readonly similarity: number;
  /** Both went well, so that their ways say something. */
  readonly isGood: boolean;
  readonly sameWay: boolean;
  readonly sameControls: boolean;
  /** Near enough that clusters may be joined over this pair. */
  readonly isAlike: boolean;
}

/** What two clusters have between them, summed over all pairs: joining clusters only adds these up. */
interface Between {
  similarity: number;
  good: number;
  sameWay: number;
  sameControls: number;
  alike: number;
}

/**
 * Average linkage: joins the two clusters whose mean similarity is highest until none is high enough, the earlier ones first where two are equally high.
 * Time grows with the square of the count. Lists members of each cluster by their indexes.
 * @param least mean similarity two clusters need
 * @param leastAgreed the same where at least half of their good pairs pressed the same controls
 */
export async function link(
  count: number,
  pair: (a: number, b: number) => Pair,
  least: number,
  leastAgreed: number,
  breathe: () => Promise<void> | undefined,
): Promise<number[][]> {
  const clusters: (number[] | null)[] = Array.from({ length: count }, (_, index) => [index]);
  const table: Between[][] = [];
  for (let a = 0; a < count; a++) {
    const row: Between[] = [];
    for (let b = 0; b < a; b++) row.push(betweenOf(pair(a, b)));
    table.push(row);
    await breathe();
  }
  const between = (a: number, b: number): Between => (table[Math.max(a, b)] as Between[])[Math.min(a, b)] as Between;
  const sizeOf = (at: number): number => clusters[at]?.length ?? 0;
  const scoreOf = (a: number, b: number): number => {
    const { similarity, good, sameWay, sameControls, alike } = between(a, b);
    // Runs that failed may have gone astray; only the goals and the successful ways decide.
    if (alike === 0 || (good > 0 && sameWay * 2 < good)) return Number.NEGATIVE_INFINITY;
    const score = similarity / (sizeOf(a) * sizeOf(b));
    return score >= (good > 0 && sameControls * 2 >= good ? leastAgreed : least) ? score : Number.NEGATIVE_INFINITY;
  };
  /** Of each cluster the later one it is nearest to; kept, as a joining changes few of them. */
  const nearest = Array.from({ length: count }, () => ({ at: -1, score: Number.NEGATIVE_INFINITY }));
  const look = (a: number): void => {
    const best = { at: -1, score: Number.NEGATIVE_INFINITY };
    for (let b = a + 1; b < count; b++) {
      if (clusters[b] === null) continue;
      const score = scoreOf(a, b);
      if (score > best.score) Object.assign(best, { at: b, score });
    }
    nearest[a] = best;
  };
  for (let a = 0; a < count; a++) {
    look(a);
    await breathe();
  }
  for (;;) {
    let into = -1;
    for (let a = 0; a < count; a++)
      if (clusters[a] !== null && (nearest[a]?.at ?? -1) >= 0 && (into < 0 || (nearest[a]?.score ?? 0) > (nearest[into]?.score ?? 0))) into = a;
    if (into < 0) return clusters.filter((members) => members !== null);
    const from = nearest[into]?.at ?? -1;
    clusters[into] = [...(clusters[into] ?? []), ...(clusters[from] ?? [])];
    clusters[from] = null;
    for (let other = 0; other < count; other++) if (other !== into && clusters[other] !== null) add(between(into, other), between(from, other));
    look(into);
    for (let other = 0; other < count; other++) {
      if (other === into || clusters[other] === null) continue;
      const { at, score } = nearest[other] as { at: number; score: number };
      if (at === from || at === into) look(other);
      else if (other < into) {
        const joined = scoreOf(other, into);
        if (joined > score || (joined === score && joined > Number.NEGATIVE_INFINITY && into < at)) nearest[other] = { at: into, score: joined };
      }
    }
    await breathe();
  }
}

function betweenOf({ similarity, isGood, sameWay, sameControls, isAlike }: Pair): Between {
  const one = (is: boolean): number => (is ? 1 : 0);
  return { similarity, good: one(isGood), sameWay: one(isGood && sameWay), sameControls: one(isGood && sameControls), alike: one(isAlike) };
}

function add(to: Between, from: Between): void {
  to.similarity += from.similarity;
  to.good += from.good;
  to.sameWay += from.sameWay;
  to.sameControls += from.sameControls;
  to.alike += from.alike;
}
