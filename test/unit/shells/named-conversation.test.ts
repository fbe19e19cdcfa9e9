import { describe, expect, it } from "vitest";
import type { HostedAgent } from "#app/create-agent.ts";
import { conversationNamed } from "../../../src-main/shells/cli/named-conversation.ts";

const ids = ["01ABCDEF", "01ABCXYZ", "01QQQXYY"];
const agent = { conversations: () => ids.map((id) => ({ id, title: `About ${id}`, createdAt: 1, updatedAt: 1 })) } as unknown as HostedAgent;

describe("a conversation that is named on the command line", () => {
  it.each([
    ["01ABCDEF", "01ABCDEF"],
    ["01abcd", "01ABCDEF"],
    ["XYY", "01QQQXYY"],
  ])("by “%s” is %s", (which, id) => {
    expect(conversationNamed(agent, which)).toBe(id);
  });

  it.each([
    ["01A", /2 conversations could be meant; name more of the id: 01ABCDEF \(About 01ABCDEF\); 01ABCXYZ \(About 01ABCXYZ\)$/u],
    ["zz9", /There is no conversation zz9; see: knack conversations list/u],
    ["01", /There is no conversation 01/u],
    ["", /There is no conversation/u],
  ])("by “%s” is refused with the way on", (which, says) => {
    expect(() => conversationNamed(agent, which)).toThrow(says);
  });
});
