/** Where the machine's power comes from. */
export interface PowerState {
  readonly onBattery: boolean;
  /** How full the battery is, 0 to 1; null where there is none or it is not known. */
  readonly level: number | null;
}

export interface Power {
  /** Mains where the machine does not say. Never rejects. */
  read(): Promise<PowerState>;
}
