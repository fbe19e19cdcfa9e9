import { readFileSync, writeFileSync } from "node:fs";

/** In screen pixels. */
export interface WindowState extends Area {
  readonly isMaximized: boolean;
}

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How much of the title bar must be on a screen for the window to be found and moved. */
const GRASP = 80;

/** The window as it was left, or null: never kept, not readable, or on a screen that is no longer there. */
export function readWindowState(file: string, screens: readonly Area[]): WindowState | null {
  try {
    const state: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isWindowState(state) && screens.some((screen) => isInReach(state, screen)) ? state : null;
  } catch {
    return null;
  }
}

/** Losing it costs the user one drag of a corner, so a full disk does not stop the app from closing. */
export function keepWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
  } catch (error) {
    console.error(`The window's place could not be kept: ${String(error)}`);
  }
}

function isWindowState(value: unknown): value is WindowState {
  if (typeof value !== "object" || value === null) return false;
  const { x, y, width, height, isMaximized } = value as Record<string, unknown>;
  const areNumbers = [x, y, width, height].every((n) => Number.isInteger(n) && Math.abs(n as number) < 100_000);
  return areNumbers && (width as number) >= 400 && (height as number) >= 300 && typeof isMaximized === "boolean";
}

function isInReach(state: WindowState, screen: Area): boolean {
  const across = Math.min(state.x + state.width, screen.x + screen.width) - Math.max(state.x, screen.x);
  return across >= GRASP && state.y >= screen.y && state.y <= screen.y + screen.height - GRASP;
}
