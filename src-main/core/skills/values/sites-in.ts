/** Names of hosts and whole addresses that a text names, as written and in order ("shop.example", "https://shop.example/a"). */
export function sitesIn(text: string): string[] {
  const found = text.match(/\bhttps?:\/\/[^\s"'<>()]+|(?<![\w@./-])(?:[a-z][a-z0-9-]*\.)+[a-z]{2,24}(?:\/[^\s"'<>()]*)?(?![\w@-])/giu) ?? [];
  return [...new Set(found.map((site) => site.replace(/[.,;:!?/]+$/u, "")))];
}

/** Host of a site as written; lower case. */
export function hostOfSite(site: string): string {
  return (/^(?:https?:\/\/)?([^/:?#]+)/iu.exec(site)?.[1] ?? "").toLowerCase();
}
