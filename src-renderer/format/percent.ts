/** "71 %" of a share between 0 and 1. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
