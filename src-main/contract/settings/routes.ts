import { oc } from "@orpc/contract";
import { z } from "zod";
import { settingsSchema } from "./schema.ts";

const { shape } = settingsSchema;

/** Only what is to change. Built from the switches without their defaults: a default here would reset every switch left out. */
export const settingsChangeSchema = z.strictObject({
  memory: shape.memory.unwrap().exactOptional(),
  learning: shape.learning.unwrap().exactOptional(),
  chatModel: shape.chatModel.unwrap().exactOptional(),
  embeddingModel: shape.embeddingModel.unwrap().exactOptional(),
  theme: shape.theme.unwrap().exactOptional(),
  reviewBeforeActive: shape.reviewBeforeActive.unwrap().exactOptional(),
  askBeforeSubmit: shape.askBeforeSubmit.unwrap().exactOptional(),
  askBeforeDownload: shape.askBeforeDownload.unwrap().exactOptional(),
  askBeforeWrite: shape.askBeforeWrite.unwrap().exactOptional(),
});

export const settingsRoutes = {
  get: oc.output(settingsSchema),
  change: oc.input(settingsChangeSchema).output(settingsSchema),
};
