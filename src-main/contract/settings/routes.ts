import { oc } from "@orpc/contract";
import { z } from "zod";
import { enforcementSchema, settingsSchema } from "./schema.ts";

const { shape } = settingsSchema;
const layers = enforcementSchema.shape;

/** Only what is to change. Built from the switches without their defaults: a default here would reset every switch left out. */
export const settingsChangeSchema = z.strictObject({
  memory: shape.memory.unwrap().exactOptional(),
  learning: shape.learning.unwrap().exactOptional(),
  learnOnBattery: shape.learnOnBattery.unwrap().exactOptional(),
  chatModel: shape.chatModel.unwrap().exactOptional(),
  embeddingModel: shape.embeddingModel.unwrap().exactOptional(),
  theme: shape.theme.unwrap().exactOptional(),
  reviewBeforeActive: shape.reviewBeforeActive.unwrap().exactOptional(),
  reviewExpansion: shape.reviewExpansion.unwrap().exactOptional(),
  askBeforeSubmit: shape.askBeforeSubmit.unwrap().exactOptional(),
  askBeforeDownload: shape.askBeforeDownload.unwrap().exactOptional(),
  loginApproval: shape.loginApproval.unwrap().exactOptional(),
  askBeforeWrite: shape.askBeforeWrite.unwrap().exactOptional(),
  programSeconds: shape.programSeconds.unwrap().exactOptional(),
  keepDays: shape.keepDays.unwrap().exactOptional(),
  activityDays: shape.activityDays.unwrap().exactOptional(),
  control: shape.control.unwrap().exactOptional(),
  idleUnloadMinutes: shape.idleUnloadMinutes.unwrap().exactOptional(),
  stateMegabytes: shape.stateMegabytes.unwrap().exactOptional(),
  vaultIdleMinutes: shape.vaultIdleMinutes.unwrap().exactOptional(),
  notifications: shape.notifications.unwrap().exactOptional(),
  staysInTray: shape.staysInTray.unwrap().exactOptional(),
  enforcement: z
    .strictObject({
      router: layers.router.unwrap().exactOptional(),
      gate: layers.gate.unwrap().exactOptional(),
      imperative: layers.imperative.unwrap().exactOptional(),
      contributions: layers.contributions.unwrap().exactOptional(),
      objectors: layers.objectors.unwrap().exactOptional(),
      grammar: layers.grammar.unwrap().exactOptional(),
    })
    .exactOptional(),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

export const settingsRoutes = {
  get: oc.output(settingsSchema),
  change: oc.input(settingsChangeSchema).output(settingsSchema),
};
