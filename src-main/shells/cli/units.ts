/** "1.1 GB", as disks are labelled. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "0.8 s", "2 min 05 s". */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/** "97.1 %" of a share, 0 to 1. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function countText(count: number): string {
  return count.toLocaleString("en");
}

/** "1 step", "3 steps". */
export function plural(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** "2026-11-29 14:05" on the clock of this machine; "–" for never. */
export function timeText(at: number | null): string {
  if (at === null) return "–";
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Saved states of prompts: "3 conversations and beginnings, 120 MB of at most 2.0 GB". */
export function statesText({ files, bytes, limitBytes }: { readonly files: number; readonly bytes: number; readonly limitBytes: number }): string {
  return limitBytes === 0
    ? "none is kept (stateMegabytes)"
    : `${plural(files, "state")} of prompts, ${bytesText(bytes)} of at most ${bytesText(limitBytes)} (stateMegabytes)`;
}
