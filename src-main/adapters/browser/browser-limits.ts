/** What a page may take of the machine and of its visitor's time before it is stopped. */
export interface BrowserLimits {
  /** How long a site may take to answer. */
  readonly answerMs: number;
  /** How long a page may leave a question of ours without an answer. */
  readonly hangMs: number;
  /** Of all processes of the browser together, without what they share. */
  readonly memoryBytes: number;
  /** Nodes of a page's documents, above which it is not read. */
  readonly nodes: number;
  /** Tabs that one action may open. */
  readonly popups: number;
  /** Documents that a page may move on to by itself within ten seconds of one action; redirects of a server are counted by Chromium (20). */
  readonly navigations: number;
  /** Addresses that a page may give its one document within ten seconds. */
  readonly moves: number;
  /** Files that one browser keeps. */
  readonly downloads: number;
}

export const usualLimits: BrowserLimits = {
  answerMs: 20_000,
  hangMs: 10_000,
  memoryBytes: 2 * 1024 ** 3,
  nodes: 500_000,
  popups: 3,
  navigations: 20,
  moves: 150,
  downloads: 100,
};
